import { NOTIFY_EVENTS } from '../../domain/notices/notify.ts';
import type { InsteadOfKey, Wanted } from '../../domain/refusals/settings-faults.ts';

/** How a value, or an option, is to be written: a clause that commands, or that says what is wrong with it. */
export function wantedText(wanted: Wanted): string {
  // The compiler cannot see that the form picks the words of its own parameters.
  return (WANTED[wanted.form] as (wanted: Wanted) => string)(wanted);
}

export const CRON_FIELDS = 'minute, hour, day of the month, month, day of the week';

/** What lacks a form does not compile. */
const WANTED: { readonly [F in Wanted['form']]: (wanted: Extract<Wanted, { form: F }>) => string } = {
  addressee: () => 'name one address at least',
  approver: () => 'name one approver at least',
  column: () => 'write the name of a column, or false to ignore the header',
  cooling_off: () => 'write a time such as 14d, or take the key out',
  cron_fields: () => `write five fields: ${CRON_FIELDS}`,
  cron_without_seconds: () => `write five fields, without seconds and years: ${CRON_FIELDS}`,
  database_url: () => 'write it like postgres://payrun@db.example/payrun; the password can be in PGPASSWORD',
  date: () => 'write a date of the calendar such as 2026-12-24',
  duration: () => 'write a whole number and a unit, as in 500ms, 30s, 5m, 2h or 1d, 366d at most',
  email_address: () => 'write one address, such as finance@example.org',
  events: () => `write some of ${NOTIFY_EVENTS.join(', ')}, or take the key out for all`,
  expiry: () => 'write at_commit, at_arrival or false',
  file_name: () => 'write the name of a file without its folder, of 200 letters at most',
  file_path: () => 'write the path of a file',
  group_roles: () => 'write each group with its roles, such as Payroll=preparer+viewer,Treasury=approver',
  issuer: () => 'write it as the provider does, such as https://login.example.com; http on loopback only',
  job_name: () => 'write letters, digits, hyphens, points and underscores, 64 at most',
  keys: () => 'write keys, each in a line with its value, as `key: value`',
  list: () => 'write a list: a line for each, which begins with a hyphen',
  one_at_least: () => 'write one at least',
  one_value: () => 'write one value',
  payee_ids: () => 'write the name of a file, or a list of payee_ids such as [E1, E2]',
  payout_count: () => 'write how many payouts there are, such as 45',
  pattern_of_name: () => 'only the name of the file may have * and ?, not its folder',
  percent: () => 'write per cent with two decimals at most, such as 0.5% or 0.25%; 100% at most',
  preparer: () => 'name one person at least',
  public_key: () => 'write what `payrun keys show FILE` prints of the key file of that person',
  rate: () => 'write requests a second, such as 10, or 100/10s, or 60/m; 0 for no limit',
  request_lifetime: () => 'write 1s to 30s: the protocol allows no other lifetime',
  secret_reference: () => 'write env:NAME or file:PATH',
  sender: () => 'write one address, such as payrun@example.org, or Example Pty Ltd <pay@example.org>',
  service_url: () => 'write it like https://payouts.example/',
  signing: () => 'write rfc9421, or {scheme: template, headers: {…}, message: "{timestamp}{method}{path}{body}"}',
  start_time: () => 'write a day and a time of it, such as 2026-11-27 09:00',
  sum: () => 'write the code of a currency and a sum as digits, such as AUD 100000 or AUD 2500.50',
  time_zone: () => 'write a name such as Europe/Berlin, Australia/Sydney or UTC',
  payer_id: () => 'write the id that Settings shows, such as northwind-gmbh',
  upload_age: () => 'write 1h or more, 366d at most, as in 7d',
  validity: () => 'write 1s to 31d',
  webhook_url: () => 'write it like https://hooks.example/payrun',
  whole_number: ({ min, max }) => `write a whole number from ${min} to ${max}`,
  size: ({ min, max }) => `write a whole number and KiB, MiB or GiB, as in 64MiB; ${min} to ${max}`,
  whole_percent: ({ max }) => `write whole per cent, from 0% to ${max}%`,
  person_name: ({ lettersMax }) =>
    `write the name of a person, ${lettersMax} letters at most, without blanks at its ends`,
  at_most: ({ max, of }) => `write ${max} ${of} at most`,
  one_of: ({ values }) => `write one of ${values.join(', ')}`,
  known_column: ({ nearest, columns }) =>
    nearest === null ? `the columns are ${columns.join(', ')}` : `did you mean ${nearest}?`,
  once: ({ code }) => `${code} is given twice`,
  total: ({ text }) => `write ${text} as a currency and its sum, such as AUD=1234.50`,
  known_currency: ({ code }) => `${code} is not the code of a currency that payrun knows`,
  digits: ({ code }) => `write the sum of ${code} as digits with a point alone, such as ${code}=1234.50`,
  smaller_sum: ({ code }) => `the sum of ${code} is too large`,
  fewer_decimals: ({ code, decimals }) => `the sum of ${code} has more than ${decimals} decimals`,
  default_rail: ({ text }) => `write ${text} as a currency and its rail, such as EUR=EUR_SEPA`,
  paid_currency: ({ code }) => `no rail pays ${code}`,
  known_rail: ({ name, code, rails }) => `${name || 'nothing'} is not the name of a rail: ${choiceText(code, rails)}`,
  fitting_rail: ({ rail, pays, code, rails }) =>
    `${rail} pays ${pays ?? 'crypto assets'}, not ${code}: ${choiceText(code, rails)}`,
  noted: ({ text }) => text,
};

function choiceText(code: string, rails: readonly string[]): string {
  return `write one of ${rails.map((rail) => `${code}=${rail}`).join(', ')}`;
}

/** What to write in place of a key that there is not. */
export const INSTEAD_OF_KEY: Readonly<Record<InsteadOfKey, string>> = {
  data_dir:
    'the journal knows what the job has paid, and every command must find it: give --data-dir or PAYRUN_DATA_DIR',
  json: 'give --json where the job is started',
  under_service: 'write it under service:, or in the file that profile: names',
  signing_key_file: 'write signing_key_file under service:, or in the file that profile: names',
  webhooks_listen: 'write webhooks: {listen: …} under service:',
  webhooks_public_key: 'write webhooks: {public_key: …} under service:',
  for_one_run: 'it is an option of one run: give it on the command line',
  schedule: 'write schedule: and below it cron: and time_zone:',
  columns: 'write columns: and below it `Header: column`',
  write_out: 'keys are not merged: write out what is needed',
};
