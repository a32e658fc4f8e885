import type { TemplateFault } from '../notices/remittance-template.ts';

/** Why a file cannot be read. `cause`: what the system says. */
export type FileFault = { why: 'absent' | 'no_plain_file' } | { why: 'unreadable'; cause: string };

/** How a value is to be written, where nothing more is to be added. A check of zod carries one as its message. */
export const FORMS = [
  'addressee',
  'approver',
  'column',
  'cooling_off',
  'cron_fields',
  'cron_without_seconds',
  'date',
  'duration',
  'email_address',
  'events',
  'expiry',
  'file_name',
  'file_path',
  'group_roles',
  'issuer',
  'job_name',
  'keys',
  'list',
  'one_at_least',
  'one_value',
  'payee_ids',
  'payout_count',
  'pattern_of_name',
  'percent',
  'preparer',
  'public_key',
  'rate',
  'request_lifetime',
  'secret_reference',
  'sender',
  'service_url',
  'database_url',
  'signing',
  'start_time',
  'sum',
  'time_zone',
  'upload_age',
  'payer_id',
  'validity',
  'webhook_url',
] as const;
export type Form = (typeof FORMS)[number];

/** How a value, or an option, is to be written. */
export type Wanted =
  | { form: Form }
  | { form: 'whole_number'; min: number; max: number }
  | { form: 'whole_percent'; max: number }
  /** Of `64MiB`. */
  | { form: 'size'; min: string; max: string }
  | { form: 'person_name'; lettersMax: number }
  | { form: 'at_most'; max: number; of: 'letters' | 'entries' }
  | { form: 'one_of'; values: readonly string[] }
  /** `nearest`: the column that was probably meant. */
  | { form: 'known_column'; nearest: string | null; columns: readonly string[] }
  | { form: 'once'; code: string }
  /** Of `AUD=1234.50`. */
  | { form: 'total'; text: string }
  | { form: 'known_currency' | 'digits' | 'smaller_sum'; code: string }
  | { form: 'fewer_decimals'; code: string; decimals: number }
  /** Of `EUR=EUR_SEPA`. `rails`: those that pay the currency. */
  | { form: 'default_rail'; text: string }
  | { form: 'paid_currency'; code: string }
  | { form: 'known_rail'; name: string; code: string; rails: readonly string[] }
  /** `pays` is null where the rail pays crypto assets. */
  | { form: 'fitting_rail'; rail: string; pays: string | null; code: string; rails: readonly string[] }
  /** In the words of zod, which has no code of ours. */
  | { form: 'noted'; text: string };

/** What to write in place of a key that there is not. */
export type InsteadOfKey =
  | 'data_dir'
  | 'json'
  | 'under_service'
  | 'signing_key_file'
  | 'webhooks_listen'
  | 'webhooks_public_key'
  | 'for_one_run'
  | 'schedule'
  | 'columns'
  | 'write_out';

type People = 'approvers' | 'preparers';

/** What is wrong with the value of a key, or with the key itself. */
type ValueFaults = {
  /** `value` is null where it is not one text. */
  wrong_value: { value: string | null; wanted: Wanted };
  /** `description`: what the schema of the file, which editors show, has of the key. */
  missing_key: { description: string | null };
  empty_value: object;
  truth_value: { value: boolean };
  /** `isOldFlag`: a word that stood for a truth value before YAML 1.2. */
  no_truth_value: { value: string; isOldFlag: boolean };
  list_value: { wanted: Wanted };
  keys_value: { wanted: Wanted };
  /** `nearest`: the key that was probably meant. */
  unknown_key: { instead: InsteadOfKey | null; nearest: string | null; known: readonly string[] };
  no_header: object;
  same_header: { other: string };
  same_currency: object;
  no_currency: object;
  no_limit: object;
  unusable_key: { problem: 'wrong_length' | 'not_on_curve' | 'small_order' | 'not_canonical' | 'mixed_order' };
  same_name: { of: People; name: string };
  same_key: { of: People; name: string };
  /** Of a person who makes plans, and approves. */
  another_key: object;
  key_of_approver: { name: string };
  few_approvers: { approvers: number };
  needless_band: object;
  same_sum: object;
  in_the_clear: { what: 'payouts' | 'notices' };
  password_in_url: object;
  secret_itself: object;
  cron_of_both_days: object;
  cron_of_no_date: object;
  /** `cause`: what the reader of cron expressions says. */
  no_cron: { cause: string };
  without_business_days: object;
  no_business_day: { direction: 'previous' | 'next' };
  first_without_every: object;
  every_without_first: object;
  every_without_weekdays: object;
  /** `first`: days since 1970. */
  first_not_due: { first: number };
  period_not_every_other: { longest: string };
  period_too_long: { period: string; longest: string };
  listed_twice: object;
  nobody_to_notify: object;
  cooling_off_without_approval: object;
  service_beside_profile: object;
};

/** What is wrong with a file as a whole, with its YAML, or with a file that it names. */
type TextFaults = {
  unreadable_file: { path: string; fault: FileFault };
  too_large: { kibibytesMax: number };
  no_utf8: object;
  second_document: object;
  /** `error`: the code of the reader of YAML; `cause`: what it says. */
  no_yaml: { error: string; cause: string };
  too_deep: { levelsMax: number };
  too_many_parts: object;
  alias: object;
  anchor: object;
  tag: object;
  directive: object;
  no_key: object;
  key_twice: { name: string };
  secret_in_file: object;
  no_job_name: object;
  name_of_others: { name: string; files: readonly string[] };
  no_template: { file: string };
  wrong_template: { file: string; fault: TemplateFault };
  template_without_company: object;
};

export type ValueFault = { [C in keyof ValueFaults]: { code: C } & ValueFaults[C] }[keyof ValueFaults];
export type TextFault = { [C in keyof TextFaults]: { code: C } & TextFaults[C] }[keyof TextFaults];

/** `key`: such as `limits.per_run.AUD`; empty for the file itself. */
export type SettingsFault = (ValueFault & { key: string }) | TextFault;

/** What is wrong at a place of a file of settings. Lines and columns begin at 1. */
export type FileProblem = { line: number; column: number } & SettingsFault;
