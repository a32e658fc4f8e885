import type { Decision } from '../outcomes/resolve-outcome.ts';
import type { RefusalKind } from './kinds.ts';

/** Why a file that an option names is not written. */
export type OutputFault =
  | { why: 'is_input' | 'not_a_file' | 'exists' }
  /** `endings`: those that the name may have. */
  | { why: 'wrong_ending'; endings: readonly string[]; isOfInput: boolean }
  | { why: 'not_read'; cause: string };

/** Why the total that was given does not approve a plan. `total`: that of its first currency. */
export type TotalFault =
  | { why: 'no_terminal' | 'mistyped' }
  | { why: 'another'; given: string }
  | { why: 'no_currency'; given: string; total: string };

/** Why the page cannot be shown as its options want it. */
export type AddressFault =
  | { why: 'in_the_clear' | 'unknown_host'; host: string }
  | { why: 'no_https_origin'; origin: string }
  | { why: 'proxy_and_tls' | 'half_tls' | 'half_mail' | 'half_oidc' | 'no_host_name' }
  | { why: 'no_certificate'; file: string }
  /** `day`: when it ended, or begins. */
  | { why: 'out_of_time'; file: string; hasEnded: boolean; day: string }
  | { why: 'unreadable' | 'refused'; cause: string };

/** What of the words behind `service admin` is no body. */
export type AdminBodyFault =
  | { why: 'no_json'; operation: string; problem: string }
  | { why: 'given_twice'; name: string }
  | { why: 'no_pair'; word: string };

/** Why a command does not do its work, for the sake of its options, its answers, or the files that it names. */
export type CommandReason =
  | { code: 'no_journal'; dataDir: string; database: string | null }
  | { code: 'passphrase_unusable'; why: 'none' | 'differ' | 'no_terminal' | 'is_terminal' | 'too_long' }
  | { code: 'passphrase_too_short'; lettersMin: number }
  | ({ code: 'output_unusable'; path: string; option: string } & OutputFault)
  | { code: 'output_not_written'; path: string; cause: string }
  /** `near`: the rails that were probably meant. */
  | { code: 'unknown_rail'; name: string; near: readonly string[] }
  | { code: 'resolution_unclear'; why: 'none' | 'both' | 'no_transaction' }
  | { code: 'not_a_row'; given: string }
  /** `asked` is null where the answer was no, else what could not be asked. */
  | { code: 'resolution_not_confirmed'; asked: { row: number; payee: string; verdict: Decision } | null }
  /** `asked` is null where the answer was no, else the payment in words. */
  | { code: 'payment_not_confirmed'; asked: string | null }
  | { code: 'cancel_unclear' }
  | { code: 'fixed_by_plan'; what: 'period' | 'ceilings' | 'rows' }
  | { code: 'retry_awaits_approval'; runId: string; needed: number }
  | ({ code: 'total_not_given'; runId: string } & TotalFault)
  | { code: 'rows_not_given'; runId: string; rows: readonly number[] }
  | { code: 'row_not_waiting'; given: string; waiting: readonly number[] }
  | ({ code: 'page_address_unusable' } & AddressFault)
  | { code: 'report_not_writable'; directory: string; cause: string }
  /** `cause` is null where the file can be read and names no entry. */
  | { code: 'bad_witness'; path: string; cause: string | null }
  | ({ code: 'admin_body' } & AdminBodyFault)
  /** `cause` is null where there is no data. */
  | { code: 'service_data_unusable'; dataDir: string; cause: string | null }
  | { code: 'service_stopped'; dataDir: string; cause: string }
  | { code: 'page_people_unusable'; cause: string };

type Code = CommandReason['code'];

export const COMMAND_KINDS = {
  no_journal: 'usage',
  passphrase_unusable: ({ why }) => (why === 'is_terminal' || why === 'too_long' ? 'usage' : 'refused'),
  passphrase_too_short: 'refused',
  output_unusable: 'usage',
  output_not_written: 'usage',
  unknown_rail: 'usage',
  resolution_unclear: 'usage',
  not_a_row: 'usage',
  resolution_not_confirmed: 'refused',
  payment_not_confirmed: 'refused',
  cancel_unclear: 'usage',
  fixed_by_plan: 'usage',
  retry_awaits_approval: 'refused',
  total_not_given: 'refused',
  rows_not_given: 'refused',
  row_not_waiting: 'usage',
  page_address_unusable: 'usage',
  report_not_writable: 'usage',
  bad_witness: 'usage',
  admin_body: 'usage',
  service_data_unusable: 'usage',
  service_stopped: 'person_needed',
  page_people_unusable: 'usage',
} satisfies {
  readonly [C in Code]: RefusalKind | ((reason: Extract<CommandReason, { code: C }>) => RefusalKind);
};
