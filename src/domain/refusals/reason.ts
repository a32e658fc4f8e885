import type { PlanObstacle } from '../outcomes/plan-obstacle.ts';
import { COMMAND_KINDS, type CommandReason } from './command-reasons.ts';
import type { FileReason } from './file-reasons.ts';
import type { JobReason } from './job-reasons.ts';
import type { DatabaseFault, JournalReason } from './journal-reasons.ts';
import type { RefusalKind } from './kinds.ts';
import type { MoneyReason } from './money-reasons.ts';
import type { PageReason } from './page-reasons.ts';
import type { ApprovalReason, PaidReason } from './paid-reasons.ts';
import { PAYEE_KINDS, type PayeeReason } from './payee-reasons.ts';
import type { PlanReason } from './plan-reasons.ts';
import type {
  ApproveReason,
  CorrectionReason,
  LookReason,
  ResolveReason,
  RetryReason,
  RunReason,
  ScheduleReason,
} from './run-reasons.ts';
import type { ServiceReason } from './service-reasons.ts';
import type { SettingsReason } from './settings-reasons.ts';
import type { SigningReason } from './signing-reasons.ts';
import { WORKER_KINDS, type WorkerReason } from './worker-reasons.ts';

/** The service cannot be used (`why`), and payouts of the run were sent before. */
export type AwayReason = { code: 'service_away'; runId: string; why: RefusalReason };

/** The job of a run cannot be read today (`cause`). */
export type UnreadableJob = { code: 'job_unreadable_today'; runId: string; job: string; cause: RefusalReason };

/** The worker has no key of `service`, the one of the run: neither its own, nor that of the run (`cause`). */
export type LackingKey = { code: 'worker_lacks_key'; runId: string; service: string; cause: RefusalReason };

/** Why nothing was done. `messages/refusals` has the words of each code. */
export type RefusalReason =
  | AwayReason
  | UnreadableJob
  | LackingKey
  | RunReason
  | RetryReason
  | CorrectionReason
  | ResolveReason
  | LookReason
  | ApproveReason
  | ScheduleReason
  | PlanReason
  | PaidReason
  | ApprovalReason
  | ServiceReason
  | FileReason
  | SigningReason
  | PageReason
  | MoneyReason
  | JournalReason
  | SettingsReason
  | JobReason
  | WorkerReason
  | CommandReason
  | PayeeReason;

export type RefusalCode = RefusalReason['code'];
export type ReasonOf<Code extends RefusalCode> = Extract<RefusalReason, { code: Code }>;

/** What of a database may be otherwise a moment later, or is for its password's keeper to say. */
const UNREACHABLE: ReadonlySet<DatabaseFault['why']> = new Set([
  'unreachable',
  'login',
  'too_many_connections',
  'read_only',
  'tls',
  'replaced',
]);

type Kinds = { readonly [C in RefusalCode]: RefusalKind | ((reason: ReasonOf<C>) => RefusalKind) };

const KINDS: Kinds = {
  ...COMMAND_KINDS,
  ...WORKER_KINDS,
  ...PAYEE_KINDS,
  worker_lacks_key: 'usage',
  unknown_run: 'usage',
  damaged: 'person_needed',
  held: 'held',
  job_held: 'held',
  lost: ({ loss }) => (loss.why === 'taken' ? 'held' : 'person_needed'),
  not_started: 'refused',
  was_cancelled: 'refused',
  others_started: 'held',
  another_service: 'usage',
  connection_unknown: 'usage',
  connection_closed: 'refused',
  not_finished: 'refused',
  nothing_to_retry: 'refused',
  rows_correct_none: 'input',
  no_such_row: 'usage',
  not_unresolved: 'usage',
  not_looked: ({ isOutage }) => (isOutage ? 'unreachable' : 'person_needed'),
  word_refused: 'refused',
  look_interrupted: 'refused',
  look_stopped: 'unreachable',
  needs_no_approval: 'refused',
  no_such_row_to_approve: 'usage',
  key_unusable: 'usage',
  unknown_approver: 'refused',
  preparer: 'refused',
  not_its_preparer: 'refused',
  preparers_account: 'refused',
  withdrawn: 'refused',
  approved_before: 'refused',
  not_scheduled: 'refused',
  no_plan: ({ obstacle }) => kindOfObstacle(obstacle),
  repeat_not_allowed: ({ cause }) => (cause.outcome === 'run_since' ? 'refused' : 'usage'),
  period_run_before: 'refused',
  file_run_before: 'refused',
  corrections_run_before: 'refused',
  retried_meanwhile: 'refused',
  retry_elsewhere: 'usage',
  paid_before: 'refused',
  nothing_left: 'refused',
  sheet_of_run: 'refused',
  history_unreadable: 'refused',
  approvals_missing: 'refused',
  rows_unapproved: 'refused',
  never_approvable: 'refused',
  no_maker_key: 'refused',
  not_a_preparer: 'refused',
  other_plan_approved: 'refused',
  other_plan_of_job: 'refused',
  credentials_refused: 'unreachable',
  service_unreachable: 'unreachable',
  clock_differs: 'unreachable',
  mode_changed: 'refused',
  service_away: 'person_needed',
  plan_not_drawn: 'unreachable',
  interrupted: 'refused',
  set_up: 'usage',
  period_unusable: 'usage',
  file_unusable: 'usage',
  file_changed: 'input',
  no_such_sheet: 'usage',
  text_has_no_sheets: 'usage',
  secret_unusable: 'usage',
  too_large_to_annotate: 'usage',
  bank_file_not_copied: 'usage',
  too_large_to_fix: 'usage',
  character_not_in_encoding: 'usage',
  modulus_table_unusable: 'usage',
  signing_template: 'usage',
  key_id_unusable: 'usage',
  page_store_unusable: 'usage',
  page_open: 'held',
  sign_in_busy: 'held',
  page_database_away: 'unreachable',
  page_change_uncertain: 'unreachable',
  page_busy: 'held',
  job_gone: 'usage',
  corrected_run_unreadable: 'refused',
  balance_short: 'refused',
  no_quote: 'unreachable',
  quote_unusable: 'refused',
  not_converted: 'input',
  no_journal_url: 'usage',
  database_unusable: ({ fault }) => (UNREACHABLE.has(fault.why) ? 'unreachable' : 'usage'),
  journal_locked: 'held',
  journal_not_a_file: 'usage',
  journal_not_usable: 'usage',
  journal_disk_failed: 'person_needed',
  journal_of_another_program: 'usage',
  journal_newer: 'usage',
  journal_moved: 'usage',
  journal_half_moved: 'held',
  journal_in_use: 'held',
  journal_being_moved: 'held',
  journal_not_moving: 'usage',
  journal_same: 'usage',
  journal_other_chain: 'refused',
  journal_not_sound: 'person_needed',
  journal_in_database: 'usage',
  journal_backup_exists: 'usage',
  journal_backup_failed: 'usage',
  journal_not_on_local_disk: 'usage',
  sqlite_too_old: 'usage',
  sqlite_setting_refused: 'usage',
  wrong_options: 'usage',
  wrong_column: 'usage',
  wrong_credentials: 'usage',
  webhooks_unusable: 'usage',
  health_unusable: 'usage',
  shipped_service_unusable: 'usage',
  shipped_service_held: 'held',
  no_service_running: 'unreachable',
  admin_unavailable: 'unreachable',
  admin_refused: 'usage',
  admin_not_on_loopback: 'usage',
  key_file_unusable: 'usage',
  journal_damaged: 'person_needed',
  reports_not_writable: 'usage',
  modulus_unreadable: 'usage',
  modulus_without_table: 'usage',
  no_job_for_file: 'usage',
  approvers_known: 'usage',
  job_unreadable_today: 'usage',
  file_problems: 'usage',
  settings_file_unreadable: 'usage',
  unknown_job: 'usage',
  no_input_file: 'usage',
  allowed_payees_unusable: 'usage',
  job_without_schedule: 'usage',
  no_scheduled_job: 'usage',
  limits_exceeded: 'refused',
  day_limit_exceeded: 'refused',
};

export function kindOf(reason: RefusalReason): RefusalKind {
  // The compiler cannot see that the code picks the kind of its own reason.
  const kind = KINDS[reason.code] as RefusalKind | ((reason: RefusalReason) => RefusalKind);
  return typeof kind === 'string' ? kind : kind(reason);
}

function kindOfObstacle(obstacle: PlanObstacle): RefusalKind {
  switch (obstacle.why) {
    case 'retry_repeated':
      return 'usage';
    case 'not_whole':
    case 'not_signed_by_maker':
      return 'person_needed';
    case 'not_allowed':
      return obstacle.cause.outcome === 'run_since' ? 'refused' : 'usage';
    case 'nothing_to_retry':
      return kindOf(obstacle.cause);
    default:
      return 'refused';
  }
}
