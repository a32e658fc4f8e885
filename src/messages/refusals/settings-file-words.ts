import { REMITTANCE_FIELDS, type TemplateProblem } from '../../domain/notices/remittance-template.ts';
import type { FileFault, FileProblem, SettingsFault, Wanted } from '../../domain/refusals/settings-faults.ts';
import type { FileProblemResult } from '../../domain/result.ts';
import { dateText } from '../../domain/time.ts';
import { printable } from '../text.ts';
import { CRON_FIELDS, INSTEAD_OF_KEY, wantedText } from './wanted-words.ts';

/** The words for each fault in a settings file. The compiler reports missing ones. */
type SettingsFileWords = { readonly [C in SettingsFault['code']]: (fault: OfCode<C>) => Words };

export function wordsOfFileProblem(problem: FileProblem): FileProblemResult {
  const { line, column } = problem;
  // The compiler cannot see that the code picks the words of its own parameters.
  const [message, remedy] = (SETTINGS_FILES[problem.code] as (fault: SettingsFault) => Words)(problem);
  return { line, column, message, remedy };
}

/** `jobs/a.yaml:7:3: what; what to write`. */
export function fileProblemLine(file: string, problem: FileProblem): string {
  const { line, column, message, remedy } = wordsOfFileProblem(problem);
  return `${file}:${line}:${column}: ${message}; ${remedy}`;
}

/** Why a file cannot be read, without a last full stop, and what to do. */
export function unreadableText(path: string, fault: FileFault): Words {
  switch (fault.why) {
    case 'no_plain_file':
      return [`${path} is no plain file`, 'Give the name of a YAML file.'];
    case 'absent':
      return [`There is no file ${path}`, 'Check the name and the folder.'];
    case 'unreadable':
      return [`${path} cannot be read: ${fault.cause}`, 'Check the name and the folder.'];
  }
}

type Words = [message: string, remedy: string];

type OfCode<Code extends SettingsFault['code']> = Extract<SettingsFault, { code: Code }>;

const KEEP_ONE = 'keep one of them';
const HTTPS = 'use https; http is for loopback only';
const WRITE_OUT = 'write the value out where it is needed';
const RIGHT_FILE = 'check that it is the right file';
const FROM_PERSON = 'write the same name and the same key for a person who makes plans and approves those of others';

const SETTINGS_FILES: SettingsFileWords = {
  wrong_value: ({ key, value, wanted }) => ofKey(key, `cannot be ${value === null ? 'this' : shown(value)}`, wanted),
  missing_key: ({ key, description }) =>
    ofKey(key, 'is missing', description === null ? 'add it' : `add it: ${description}`),
  empty_value: ({ key }) => ofKey(key, 'is empty', 'give it a value, or take the key out'),
  truth_value: ({ key, value }) => ofKey(key, `is the truth value ${value}`, 'put it in quotes if it is a word'),
  no_truth_value: ({ key, value, isOldFlag }) => {
    const why = isOldFlag ? ': in YAML 1.2 yes, no, on and off are words' : '';
    return ofKey(key, `is the text ${shown(value)}`, `write true or false${why}`);
  },
  list_value: ({ key, wanted }) => ofKey(key, 'is a list', wanted),
  keys_value: ({ key, wanted }) => ofKey(key, 'has keys of its own', wanted),
  unknown_key: ({ key, instead, nearest, known }) => {
    const likely = nearest === null ? `the keys here are ${known.join(', ')}` : `did you mean ${nearest}?`;
    return [`there is no key ${key}`, instead === null ? likely : INSTEAD_OF_KEY[instead]];
  },
  no_header: ({ key }) => ofKey(key, 'names no header', 'write it as in the file'),
  same_header: ({ key, other }) => ofKey(key, `is the same header as ${shown(other)}`, KEEP_ONE),
  same_currency: ({ key }) => ofKey(key, 'is the same currency as one above', KEEP_ONE),
  no_currency: ({ key }) => ofKey(key, 'names no currency', 'write one, such as AUD: 20000'),
  no_limit: ({ key }) => ofKey(key, 'names no limit', 'write one, such as per_run: {AUD: 500000}, or take the key out'),
  unusable_key: ({ key, problem }) => ofKey(key, KEY_PROBLEMS[problem], { form: 'public_key' }),
  same_name: ({ key, of, name }) => ofKey(key, `is the same as ${shown(name)} above`, ofTheirOwn(of)),
  same_key: ({ key, of, name }) => ofKey(key, `is the key of ${shown(name)}`, ofTheirOwn(of)),
  another_key: ({ key }) => ofKey(key, 'is another key than the same person has as an approver', FROM_PERSON),
  key_of_approver: ({ key, name }) => ofKey(key, `is the key of ${shown(name)}`, FROM_PERSON),
  few_approvers: ({ key, approvers }) =>
    ofKey(key, `is more than there are approvers (${approvers})`, 'name more approvers, or ask for fewer'),
  needless_band: ({ key }) =>
    ofKey(key, 'asks for no more than `required` above', 'ask for more, or take the band out'),
  same_sum: ({ key }) => ofKey(key, 'is the same sum as in a band above', KEEP_ONE),
  in_the_clear: ({ key, what }) =>
    ofKey(key, `would ${what === 'payouts' ? 'send signed payouts' : 'be sent'} without TLS`, HTTPS),
  password_in_url: ({ key }) =>
    ofKey(key, 'has a name or a password in it', 'take it out: webhooks are known by their signature'),
  secret_itself: ({ key }) => ofKey(key, 'does not belong in this file itself', { form: 'secret_reference' }),
  cron_of_both_days: ({ key }) =>
    ofKey(
      key,
      'names days of the month and days of the week, and cron takes either',
      'write * for one of them; 5#2 is the second Friday, 5#L the last, LW the last weekday',
    ),
  cron_of_no_date: ({ key }) =>
    ofKey(key, 'names a date that no year has', 'correct the day of the month or the month'),
  no_cron: ({ key, cause }) => ofKey(key, `is no cron expression (${cause})`, `write five fields: ${CRON_FIELDS}`),
  without_business_days: ({ key }) =>
    ofKey(key, 'does nothing without business_days', 'add business_days: previous or next, or take it out'),
  no_business_day: ({ key, direction }) =>
    ofKey(key, `leaves no ${direction} business day for a month`, 'check the dates around it'),
  first_without_every: ({ key }) => ofKey(key, 'does nothing without every: two_weeks', 'add it, or take this out'),
  every_without_first: ({ key }) =>
    ofKey(key, 'needs the first day that is paid', 'add first: and a date, such as 2026-11-27'),
  every_without_weekdays: ({ key }) =>
    ofKey(key, 'is for a cron of weekdays', 'write cron: 0 9 * * 5 (Fridays) or the like'),
  first_not_due: ({ key, first }) =>
    ofKey(key, `(${dateText(first)}) is no day on which cron comes`, 'write the date of the first payday'),
  period_not_every_other: ({ key, longest }) =>
    ofKey(key, 'cannot be two_weeks without every: two_weeks', longestText(longest)),
  period_too_long: ({ key, period, longest }) =>
    ofKey(key, `cannot be ${period}: cron comes more than once in one`, longestText(longest)),
  listed_twice: ({ key }) => ofKey(key, 'stands in the list twice', KEEP_ONE),
  nobody_to_notify: ({ key }) => ofKey(key, 'names nobody to notify', 'add email: or webhook: below it'),
  cooling_off_without_approval: ({ key }) =>
    ofKey(
      key,
      'needs somebody who approves, and the job has no approval:',
      'name who approves under approval:, or take the key out',
    ),
  service_beside_profile: ({ key }) =>
    ofKey(key, 'is given beside profile', 'keep one: the file of a profile, or the profile itself'),

  unreadable_file: ({ path, fault }) => unreadableText(path, fault),
  too_large: ({ kibibytesMax }) => [`the file has more than ${kibibytesMax} KiB`, RIGHT_FILE],
  no_utf8: () => ['the file is no UTF-8 text', 'save it as UTF-8'],
  second_document: () => ['a second document begins here', 'keep one to a file, without ---'],
  no_yaml: ({ error, cause }) => [cause, YAML_REMEDIES[error] ?? 'check the indentation, the colons and the quotes'],
  too_deep: ({ levelsMax }) => [`more than ${levelsMax} levels`, 'check the indentation and the brackets'],
  too_many_parts: () => ['the file has more parts than a job', RIGHT_FILE],
  alias: () => ['an alias (*name) stands for a value elsewhere', WRITE_OUT],
  anchor: () => ['an anchor (&name) is for aliases, which are not read', WRITE_OUT],
  tag: () => ['a tag (!name) changes how a value is read', 'leave it out; put a text in quotes'],
  directive: () => ['a directive (%NAME) changes how the file is read', 'leave the line out'],
  no_key: () => ['this is no key', 'write a word before the colon'],
  key_twice: ({ name }) => [`the key ${shown(name)} is given twice`, KEEP_ONE],
  secret_in_file: () => [
    'a secret does not belong in this file',
    'write where it is (env:NAME, file:PATH, the path of a key file), and make a new one',
  ],
  no_job_name: () => ['the name of this file cannot be the name of a job', 'add name:, or rename the file'],
  name_of_others: ({ name, files }) => [
    `the name ${shown(name)} is that of ${files.join(', ')} too`,
    'give each job its own name:',
  ],
  no_template: ({ file }) => [
    `remittance.template: there is no file ${file} of UTF-8 text`,
    'check the path, which is beside this file',
  ],
  wrong_template: ({ file, fault }) => {
    const [message, remedy] = templateText(fault);
    return [`${file}:${fault.line}:${fault.column}: ${message}`, remedy];
  },
  template_without_company: () => [
    'remittance has no company, and its template has {company}',
    'add company: with the name of who pays',
  ],
};

function ofKey(key: string, what: string, remedy: string | Wanted): Words {
  return [`${key || 'the file'} ${what}`, typeof remedy === 'string' ? remedy : wantedText(remedy)];
}

const KEY_PROBLEMS: Readonly<Record<OfCode<'unusable_key'>['problem'], string>> = {
  wrong_length: 'is no key of 32 bytes',
  not_on_curve: 'is no point of Ed25519',
  small_order: 'is a key under which anybody can sign',
  not_canonical: 'is no key of Ed25519 in its one right form',
  mixed_order: 'is a key that not all programs verify alike',
};

function ofTheirOwn(of: OfCode<'same_name'>['of']): string {
  return `give each ${of === 'approvers' ? 'approver' : 'person'} a name and a key of their own`;
}

function longestText(period: string): string {
  return `write ${period}, or take the key out`;
}

/** By the codes of the reader of YAML, which are not all that it has. */
const YAML_REMEDIES: Readonly<Record<string, string>> = {
  BAD_INDENT: 'begin the keys of one level in one column',
  BLOCK_AS_IMPLICIT_KEY: 'put a text that has a colon in quotes',
  DUPLICATE_KEY: KEEP_ONE,
  MISSING_CHAR: 'close what is opened, and put a blank behind each colon',
  MULTILINE_IMPLICIT_KEY: 'write a key and its value as `key: value`',
  TAB_AS_INDENT: 'indent with blanks',
};

const HEAD = 'write `Subject: …` into the first line, leave the second empty, and write the text below';

function templateText(problem: TemplateProblem): Words {
  switch (problem.code) {
    case 'no_subject':
      return ['the first line is no subject', HEAD];
    case 'subject_too_long':
      return [`the subject has more than ${problem.max} characters`, HEAD];
    case 'second_line_not_empty':
      return ['the second line is not empty', HEAD];
    case 'no_text':
      return ['there is no text below the subject', HEAD];
    case 'control_character':
      return ['a control character stands here', 'take it out'];
    case 'unknown_placeholder': {
      const known = REMITTANCE_FIELDS.map((field) => `{${field}}`).join(', ');
      return [`there is no placeholder ${problem.placeholder}`, `the placeholders are ${known}`];
    }
  }
}

const SHOWN_MAX = 60;

/** A text of the file as a message shows it. */
function shown(text: string): string {
  const plain = printable(text.replace(/[\t\r\n]/g, '\uFFFD'));
  return `\`${plain.length > SHOWN_MAX ? `${plain.slice(0, SHOWN_MAX)}…` : plain}\``;
}
