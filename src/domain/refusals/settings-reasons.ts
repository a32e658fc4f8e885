import type { JournalDamage } from '../outcomes/journal-damage.ts';
import type { KeyFileFault } from './key-faults.ts';
import type { Wanted } from './settings-faults.ts';

/** What of the settings is wrong. People of the page read no more than this: they cannot change it. */
export type SettingsPart =
  | 'options'
  | 'service'
  | 'credentials'
  | 'key_file'
  | 'webhooks'
  | 'shipped_service'
  | 'reports_folder'
  | 'modulus_table'
  | 'columns'
  | 'maker_key';

/** What is wrong with the text of an explicit column, `HEADER=column`. */
export type ColumnFault =
  | { why: 'no_equals' | 'no_header'; text: string }
  /** `nearest`: the column that was probably meant. */
  | {
      why: 'unknown_column';
      text: string;
      header: string;
      name: string;
      nearest: string | null;
      known: readonly string[];
    }
  /** Two texts name different columns for one header; null where it is ignored. */
  | { why: 'contradiction'; header: string; columns: readonly [string | null, string | null] };

/** What is wrong with the service's address, its keys or the secrets of a profile. `name`: the key, with its place in a file. */
export type CredentialsFault =
  | { why: 'no_variable'; name: string; variable: string }
  | { why: 'unreadable_file' | 'open_file'; name: string; path: string }
  | { why: 'no_tls' | 'not_a_url' | 'private_address'; url: string }
  /** A variable of the environment names none. */
  | { why: 'not_a_proxy'; variable: string }
  /** `path`: of `ca_file`. `cause`: what the system says. */
  | { why: 'no_certificates'; path: string; cause: string }
  | { why: 'key_without_service' | 'no_api_key' | 'no_signing_key' }
  /** There is an address for webhooks, and the service inside this process sends none. */
  | { why: 'no_sender'; listen: string };

/** Why webhooks cannot be received. */
export type WebhooksFault =
  | { why: 'no_address' | 'no_key' | 'secret_itself' | 'no_whpk_key' }
  | { why: 'unusable_key'; problem: string }
  | { why: 'no_secret'; reference: string }
  | { why: 'wrong_address'; text: string }
  /** `code`: the system's; null where the address is taken. */
  | { why: 'not_listening'; listen: string; code: string | null };

/** Why the shipped service cannot be started. */
export type ShippedFault =
  | { why: 'wrong_webhook' | 'data_unusable'; cause: string }
  | { why: 'port_taken' | 'port_forbidden'; port: number | null }
  | { why: 'files'; dataDir: string; cause: string };

/** Why the admin port of a running service is not called. */
export type NoAdminFault =
  | { why: 'none_running'; dataDir: string }
  | { why: 'no_admin_port'; url: string }
  | { why: 'ended'; where: string; url: string }
  | { why: 'silent'; where: string; url: string; cause: string };

/** Why a period is not the one of a job. `wanted`: the kind that the job has. */
type PeriodFault = { why: 'no_job' | 'no_period' | 'other_kind' | 'out_of_step'; wanted: string | null };

/** What payrun was started with, and does not allow. `cause`: what the system says. */
export type SettingsReason =
  /** `where`: the option, the variable or the place in a job. `command`: that was given. */
  | { code: 'wrong_options'; faults: readonly { where: string; wanted: Wanted }[]; command: string | null }
  | { code: 'wrong_column'; fault: ColumnFault }
  | { code: 'wrong_credentials'; fault: CredentialsFault }
  | { code: 'webhooks_unusable'; fault: WebhooksFault }
  /** Where /livez and /readyz are to be answered. `cause` is null where the text is no address. */
  | { code: 'health_unusable'; listen: string; cause: string | null }
  | { code: 'shipped_service_unusable'; fault: ShippedFault }
  /** Another process has it open. `path`: its data. */
  | { code: 'shipped_service_held'; path: string }
  | { code: 'no_service_running'; fault: NoAdminFault }
  /** `message`: what the service answers. */
  | { code: 'admin_unavailable'; message: string }
  | { code: 'admin_refused'; operation: string; message: string }
  | { code: 'admin_not_on_loopback'; url: string }
  | { code: 'key_file_unusable'; fault: KeyFileFault }
  | { code: 'journal_damaged'; cause: JournalDamage }
  | { code: 'reports_not_writable'; path: string; cause: string }
  /** `file`: which of Pay.UK's two. */
  | { code: 'modulus_unreadable'; file: 'table' | 'substitutions'; path: string; cause: string }
  | { code: 'modulus_without_table' }
  /** A file is named in place of that of a job, and `named` is none. */
  | { code: 'no_job_for_file'; named: string }
  | ({ code: 'period_unusable'; period: string; job: string | null; example: string | null } & PeriodFault)
  /** `--approval` is named, and the job, or the plan that is retried, names who approves. */
  | { code: 'approvers_known' };
