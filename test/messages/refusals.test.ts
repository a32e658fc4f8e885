import { expect, test } from 'vitest';
import type { JobChange } from '../../src/domain/outcomes/plan-obstacle.ts';
import type { DecisionRefused } from '../../src/domain/outcomes/resolve-outcome.ts';
import type { CorrectionMismatch, Loss, RowLeft } from '../../src/domain/outcomes/run-outcome.ts';
import type { ServiceTrouble } from '../../src/domain/outcomes/service-trouble.ts';
import type { StopWhy } from '../../src/domain/outcomes/stop-why.ts';
import { fault } from '../../src/domain/problem.ts';
import { COMMAND_KINDS } from '../../src/domain/refusals/command-reasons.ts';
import type { ReasonOf, RefusalReason } from '../../src/domain/refusals/reason.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { refusalOnPage, refusalText } from '../../src/messages/refusals/refusal.ts';
import { stopText } from '../../src/messages/stop-words.ts';
import { ANYBODY, asViewer } from '../../src/messages/viewer.ts';
import { commandsIn } from '../support/commands-in.ts';
import { englishIn } from '../support/translations/left-in-english.ts';
import { speakPseudo } from '../support/translations/pseudo.ts';

const R = 'R20261125-7K3M9QZ2';
const by = { runId: R, isRehearsal: false };
const plan = {
  runId: R,
  retries: null,
  path: 'pay.csv',
  job: 'pay',
  jobFile: null,
  period: '2026-11',
  isMadeWithKey: true,
};
const next = { runId: R, missing: 1, mayApprove: ['Carla'], rowsMissing: [], repeats: null };
const voidOne = { approver: 'Anna', by: 'anna@desk', signed_at: '', expires_at: '', why_not: 'expired' } as const;
const holder = { pid: 1, host: 'desk' };
const LIMIT = fault('limit_payees', { payees: 9, limit: 5 });
const other = { runId: R, ageMs: 60_000, approvedBy: ['Anna'] };

const LEFT: readonly RowLeft[] = (
  [
    'unresolved',
    'not_final',
    'paid',
    'under_way',
    'paid_otherwise',
    'perhaps_paid_otherwise',
    'to_be_paid_otherwise',
  ] as const
).map((how, at) => ({ row: at + 2, how, runId: R }));

const MISMATCHES: readonly CorrectionMismatch[] = [
  { why: 'no_such_payee' },
  { why: 'no_open_row' },
  ...LEFT.map((left) => ({ why: 'left_out' as const, left })),
  { why: 'corrected_before', row: 2, by: 3 },
  { why: 'other_amount', amount: '1.00 AUD' },
];

const JOB_CHANGES: readonly JobChange[] = [
  { change: 'renamed', name: 'rent' },
  { change: 'approval_needed', needed: 1 },
  { change: 'no_approver', name: 'Anna' },
  { change: 'no_preparer', name: 'Ben' },
  { change: 'preparer_key_needed' },
  { change: 'api_key' },
  { change: 'limits' },
  { change: 'more_approvals', needed: 2, before: 1 },
  { change: 'shorter_approval', todayMs: 1, thenMs: 2 },
  { change: 'longer_window', todayMs: 2, thenMs: 1 },
  { change: 'service', today: null, planned: 'https://pay.example/' },
  { change: 'lower_ceiling', of: 'payout', todayBps: 1, thenBps: 2 },
  { change: 'lower_ceiling', of: 'run', todayBps: 1, thenBps: 2 },
];

type Obstacle = ReasonOf<'no_plan'>['obstacle'];

/** What is known of an obstacle beside why: all of it, so that one object serves each of them. */
const OBSTACLES: readonly Obstacle[] = [
  { plan, why: 'started' },
  { plan, why: 'cancelled' },
  { plan, why: 'not_whole' },
  { plan, why: 'not_signed_by_maker' },
  { plan, why: 'another_than_shown' },
  { plan, why: 'retry_repeated' },
  { plan, why: 'replaced', by: R },
  { plan, why: 'file_changed', name: 'pay.csv' },
  { plan, why: 'not_allowed', cause: { outcome: 'run_since', older: R, newest: by } },
  { plan, why: 'run_meanwhile', by, job: 'pay', period: null, isToSign: false },
  { plan, why: 'run_meanwhile', by, job: 'pay', period: '2026-11', isToSign: true },
  { plan, why: 'corrections_run_before', name: 'pay.csv', by },
  { plan, why: 'nothing_to_retry', cause: { code: 'not_finished', runId: R } },
  { plan, why: 'retried_since', retries: R, row: null, last: R },
  { plan, why: 'planned_by_earlier_payrun' },
  { plan, why: 'job_changed', file: 'pay.yaml', more: JOB_CHANGES },
  { plan, why: 'another_service' },
  { plan, why: 'payees_changed' },
  { plan, why: 'interrupted' },
];

const WORDS_REFUSED: readonly DecisionRefused[] = [
  { why: 'unknown_transaction', transactionId: 'tx_1' },
  { why: 'another_payout', transactionId: 'tx_1' },
  { why: 'another_row', transactionId: 'tx_1', row: 3 },
  { why: 'another_payment', transactionId: 'tx_1', differs: 'amount' },
  { why: 'may_take_effect', until: 0 },
  { why: 'was_sent', transactionIds: ['tx_1'], cause: null },
  { why: 'not_unresolved', row: 3, state: 'in_doubt' },
];

const UNREACHED: StopWhy = { code: 'unreached', cause: null };
const SUM = { amount: '5.00', currency: 'AUD' };

const LOSSES: readonly Loss[] = [
  { why: 'commit_uncertain', cause: 'EIO' },
  { why: 'unreadable', cause: 'EIO' },
  { why: 'out_of_descriptors', cause: 'EMFILE' },
  { why: 'taken' },
  { why: 'replaced' },
  { why: 'altered', path: 'journal.db', how: 'cut_short' },
  { why: 'altered', path: 'journal.db', how: 'overwritten' },
  { why: 'altered', path: 'journal.db', how: 'log' },
];

const TROUBLES: readonly ServiceTrouble[] = [
  { code: 'not_reached', why: 'refused' },
  { code: 'no_answer' },
  { code: 'proxy_asks' },
  { code: 'proxy_asks', proxy: 'proxy.example:3128' },
  { code: 'proxy_refuses', proxy: 'proxy.example:3128', status: 403 },
  { code: 'proxy_not_reached', proxy: 'proxy.example:3128', cause: 'connect ECONNREFUSED' },
  { code: 'too_many_requests' },
  { code: 'unavailable' },
  { code: 'failed', status: 500 },
  { code: 'no_such_service', status: 404 },
  { code: 'redirected', status: 302, to: 'https://a.example' },
  { code: 'certificate_untrusted', tls: 'CERT_UNTRUSTED' },
  { code: 'certificate_out_of_time', tls: 'CERT_HAS_EXPIRED', isExpired: true },
  { code: 'certificate_of_another_host', tls: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  { code: 'no_tls', tls: 'EPROTO' },
];

type Sample<Reason> = Reason extends unknown ? Omit<Reason, 'code'> : never;

/** Some of each code: one that is added does not compile before it is here. */
const SAMPLES: { readonly [C in RefusalReason['code']]: readonly Sample<ReasonOf<C>>[] } = {
  unknown_run: [
    { runId: R, near: null },
    { runId: R, near: R },
  ],
  damaged: [
    { runId: R, cause: { of: R, code: 'entry_missing', n: 3, next: null } },
    { runId: null, cause: { code: 'runs_deleted', runs: 1 } },
  ],
  held: [{ runId: R, holder }],
  job_held: [{ job: 'pay', runId: R, holder }],
  lost: LOSSES.map((loss) => ({ loss, runId: R })),
  not_started: [
    { runId: R, isCancelled: false, replacedBy: null },
    { runId: R, isCancelled: true, replacedBy: null },
    { runId: R, isCancelled: true, replacedBy: R },
  ],
  was_cancelled: [{ runId: R }],
  page_store_unusable: [
    { path: 'data/web/web.db', why: 'another_program' },
    { path: 'data/web/web.db', why: 'no_wal' },
    { path: 'data/web/web.db', why: 'newer', versions: { found: 9, known: 8 } },
    { path: 'data/web/web.db', why: 'unreadable', cause: 'EACCES' },
  ],
  page_open: [
    { dataDir: 'data', holder: null },
    { dataDir: 'data', holder: { pid: 7, host: 'desk-7', url: null } },
    { dataDir: 'data', holder: { pid: 7, host: 'desk-7', url: 'http://localhost:8800' } },
  ],
  sign_in_busy: [{}],
  page_database_away: [{ cause: 'ECONNREFUSED' }],
  page_change_uncertain: [{ cause: 'Connection terminated' }],
  page_busy: [{}],
  job_gone: [{ job: 'pay' }],
  corrected_run_unreadable: [{}],
  others_started: [{}],
  connection_unknown: [{ runId: R, connection: 'northwind', dataDir: '.payrun' }],
  connection_closed: (['disabled', 'untested', 'failed'] as const).map((why) => ({ connection: 'Northwind', why })),
  another_service: [
    { why: 'rehearsal_differs', wasRehearsal: true },
    { why: 'unknown_transaction', transactionId: 'tx_1' },
    { why: 'nothing_shows_it' },
  ],
  not_finished: [{ runId: R }],
  nothing_to_retry: [{ runId: R, leftOut: LEFT }],
  rows_correct_none: [{ runId: R, rows: MISMATCHES.map((mismatch) => ({ row: 2, name: 'Ada', mismatch })), more: 1 }],
  no_such_row: [{ runId: R, row: 3 }],
  not_unresolved: [
    { runId: R, row: 3, state: 'in_doubt', isOpen: true },
    { runId: R, row: 3, state: 'completed', isOpen: false },
  ],
  not_looked: [{ row: 3, isOutage: true, why: UNREACHED }],
  word_refused: WORDS_REFUSED.map((refused) => ({ runId: R, refused })),
  look_interrupted: [{}],
  look_stopped: [{ why: UNREACHED }, { why: { code: 'credentials_refused', cause: 'no such key' } }],
  needs_no_approval: [{ runId: R }],
  no_such_row_to_approve: [{ runId: R, row: 3 }],
  key_unusable: [{ fault: { path: 'anna.key', code: 'wrong_passphrase' } }],
  unknown_approver: [{ runId: R, next }],
  not_scheduled: [
    { runId: R, fault: { why: 'past', at: 0, timeZone: 'Europe/Berlin' } },
    { runId: R, fault: { why: 'beyond_approvals', until: 0, timeZone: 'UTC', approver: null } },
    { runId: R, fault: { why: 'beyond_approvals', until: 0, timeZone: 'UTC', approver: 'Anna' } },
    { runId: R, fault: { why: 'day_of_rest', at: 0, timeZone: 'UTC', offered: 86_400_000, isOfJob: false } },
    { runId: R, fault: { why: 'day_of_rest', at: 0, timeZone: 'UTC', offered: null, isOfJob: true } },
    { runId: R, fault: { why: 'changed_too_often', times: 100 } },
    { runId: R, fault: { why: 'needs_no_approval' } },
    { runId: R, fault: { why: 'no_time' } },
  ],
  not_its_preparer: [{ preparer: 'Ben', key: 'PUAXw-hDke', runId: R, next }],
  preparer: [{ runId: R, preparer: 'Ben', key: 'abc', next }],
  preparers_account: [{ runId: R, preparer: 'ben@desk', isOfJob: true, next }],
  withdrawn: [{ runId: R, why: 'locked_out', next }],
  approved_before: [{ runId: R, name: 'Anna', until: 0, next }],
  no_plan: OBSTACLES.map((obstacle) => ({ obstacle })),
  repeat_not_allowed: [
    { cause: { outcome: 'run_since', older: R, newest: by } },
    { cause: { outcome: 'no_earlier_run', name: R, newest: null, wasRehearsal: false, period: null } },
    { cause: { outcome: 'no_earlier_run', name: R, newest: R, wasRehearsal: true, period: '2026-11' } },
  ],
  period_run_before: [{ by, job: 'pay', period: '2026-11' }],
  file_run_before: [
    { by, newestOf: null },
    { by, newestOf: { path: 'in/a.csv', pattern: 'in/*.csv' } },
  ],
  corrections_run_before: [{ name: 'pay.csv', by }],
  retried_meanwhile: [{ retries: R, by: R }],
  retry_elsewhere: [{ runId: R }],
  paid_before: [{ rows: [2, 3], payouts: 3, runs: [{ ...by, at: 0 }], isWaiting: false, job: 'pay' }],
  nothing_left: [
    { name: 'pay.csv', payouts: 2, first: { standing: 'paid', run: { id: R, at: 0, isRehearsal: false } } },
    { name: 'pay.csv', payouts: 1, first: null },
  ],
  sheet_of_run: [{ path: 'pay.csv', runId: R }],
  history_unreadable: [{ cause: 'EIO' }],
  approvals_missing: [{ needed: 2, voids: [voidOne], next }],
  rows_unapproved: [{ runId: R, rows: [2], payable: 3, repeats: R }],
  never_approvable: [{ needed: 2, able: 1, preparer: 'Ben', key: null }],
  no_maker_key: [{ place: 'job', names: ['Ben'] }],
  not_a_preparer: [{ place: 'job', namesPreparers: true, publicKey: 'abc' }],
  other_plan_approved: [{ plan: other, next }],
  other_plan_of_job: [
    { plan: other, job: 'pay', why: null, next },
    { plan: other, job: 'pay', why: { plan, why: 'cancelled' }, next },
  ],
  credentials_refused: [{ cause: 'no such key' }],
  service_unreachable: [{ trouble: null, cause: 'away' }, ...TROUBLES.map((trouble) => ({ trouble, cause: 'away' }))],
  clock_differs: [{ seconds: 9, isAhead: true }],
  mode_changed: [{ rehearsal: true }, { rehearsal: false }],
  service_away: [{ runId: R, why: { code: 'credentials_refused', cause: 'no such key' } }],
  plan_not_drawn: [{ why: UNREACHED }],
  interrupted: [{}],
  set_up: [{ part: 'credentials' }],
  secret_unusable: [
    { setting: 'smtp', reference: 'env:SMTP' },
    { setting: 'webhook.secret', reference: 'env:SECRET' },
  ],
  period_unusable: [
    { period: '2026', job: null, example: null, why: 'no_job', wanted: null },
    { period: '2026', job: 'pay', example: '2026-11', why: 'no_period', wanted: null },
    { period: '2026-W01', job: 'pay', example: '2026-11', why: 'other_kind', wanted: 'month' },
    { period: '2026-W02/2', job: 'pay', example: '2026-W01/2', why: 'out_of_step', wanted: 'two_weeks' },
  ],
  file_unusable: [
    { path: 'pay.csv', why: 'absent' },
    { path: 'pay.csv', why: 'folder' },
    { path: 'pay.csv', why: 'not_plain' },
    { path: 'pay.csv', why: 'not_permitted' },
    { path: 'pay.csv', why: 'unreadable', cause: 'EIO' },
    { path: 'pay.csv', why: 'too_large', gibibytes: 2 },
    { path: 'pay.ods', why: 'other_kind', extension: '.ods', isSpreadsheet: true },
  ],
  file_changed: [{ name: 'pay.csv' }],
  no_such_sheet: [{ name: 'pay.xlsx', path: 'pay.xlsx', sheet: 'May', sheets: ['June', 'July'] }],
  text_has_no_sheets: [{ name: 'pay.csv', path: 'pay.csv' }],
  too_large_to_annotate: [
    { name: 'pay.csv', rowsMax: null },
    { name: 'pay.csv', rowsMax: 1_048_576 },
  ],
  bank_file_not_copied: [{ name: 'pay.xml' }],
  too_large_to_fix: [{ name: 'pay.csv', mebibytes: 256 }],
  character_not_in_encoding: [{ encoding: 'windows-1252', character: 'ł' }],
  modulus_table_unusable: [{ path: 'valacdos.txt', line: 1, why: 'empty' }],
  signing_template: [{ why: 'no_signature' }],
  key_id_unusable: [{}],
  balance_short: [{ shortages: [{ missing: SUM, of: SUM }] }],
  no_quote: [{ from: 'EUR', to: 'USD', why: { message: 'no such key' } }],
  quote_unusable: [{ from: 'EUR', to: 'USD', cause: 'of nothing' }],
  not_converted: ['BELOW_MINIMUM', 'NOT_PAYABLE'].map((why) => {
    return { from: 'EUR', to: 'USD', payouts: [{ row: 2, amount: SUM }], why, cause: 'no' };
  }),
  no_journal_url: [{ url: 'file:x' }],
  journal_locked: [{}],
  journal_not_a_file: [{ path: 'journal.db' }],
  journal_not_usable: [{ path: 'journal.db', cause: 'EACCES' }],
  journal_disk_failed: [{ path: 'journal.db', cause: 'EIO' }],
  journal_of_another_program: [true, false].map((isDatabase) => ({ path: 'journal.db', isDatabase })),
  journal_newer: [true, false].map((isDatabase) => ({ path: 'journal.db', isDatabase, version: 9, known: 8 })),
  journal_moved: [
    { to: 'postgres://payrun@db/payrun', isDatabase: true },
    { to: '/srv/payroll/.payrun/journal.db', isDatabase: false },
  ],
  journal_half_moved: (['leaving', 'arriving'] as const).map((state) => ({ state, other: '/srv/journal.db' })),
  journal_in_use: [{ journal: '/srv/journal.db', held: [holder, null].map((one) => ({ runId: R, holder: one })) }],
  journal_being_moved: [{ holder }],
  journal_not_moving: [{ journal: '/srv/journal.db' }],
  journal_same: [{ journal: '/srv/journal.db' }],
  journal_other_chain: [true, false].map((isNewer) => ({ journal: '/srv/journal.db', runId: R, isNewer })),
  journal_not_sound: [{ journal: '/srv/journal.db', cause: { code: 'runs_deleted', runs: 1 } }],
  journal_in_database: [{ database: 'postgres://payrun@db/payrun', file: 'journal.dump' }],
  journal_backup_exists: [{ path: 'journal.db' }],
  journal_backup_failed: [{ path: 'journal.db', cause: 'EACCES' }],
  database_unusable: [
    ...(['unreachable', 'login', 'missing', 'rights', 'full', 'too_many_connections', 'read_only', 'tls'] as const).map(
      (why) => ({ database: 'postgres://payrun@db/payrun', fault: { why, cause: 'connect ECONNREFUSED' } }),
    ),
    { database: 'postgres://payrun@db/payrun', fault: { why: 'too_old', version: '14.2', needed: '15' } },
    { database: 'postgres://payrun@db/payrun', fault: { why: 'encoding', encoding: 'SQL_ASCII' } },
    { database: 'postgres://payrun@db/payrun', fault: { why: 'not_durable', setting: 'fsync' } },
  ],
  journal_not_on_local_disk: [{ path: 'journal.db' }],
  sqlite_too_old: [{ version: '3.50.0', needed: '3.51.3' }],
  sqlite_setting_refused: [{ name: 'synchronous', value: 2, actual: '1' }],
  wrong_options: [
    { faults: [{ where: '--rate', wanted: { form: 'rate' } }], command: 'run' },
    { faults: [{ where: '--expect-total', wanted: { form: 'once', code: 'AUD' } }], command: null },
  ],
  wrong_column: [
    { fault: { why: 'no_equals', text: 'Pay' } },
    { fault: { why: 'no_header', text: '=amount' } },
    { fault: { why: 'contradiction', header: 'Pay', columns: ['amount', null] } },
    ...['amount', null].map((nearest) => ({
      fault: {
        why: 'unknown_column' as const,
        text: 'Pay=amont',
        header: 'Pay',
        name: 'amont',
        nearest,
        known: ['amount'],
      },
    })),
  ],
  wrong_credentials: [
    { fault: { why: 'no_variable', name: 'api_key', variable: 'KEY' } },
    { fault: { why: 'unreadable_file', name: 'api_key', path: 'key' } },
    { fault: { why: 'open_file', name: 'api_key', path: 'key' } },
    { fault: { why: 'not_a_url', url: 'pay' } },
    { fault: { why: 'no_tls', url: 'http://pay.example/' } },
    { fault: { why: 'not_a_proxy', variable: 'HTTPS_PROXY' } },
    { fault: { why: 'no_certificates', path: 'ca.pem', cause: 'ENOENT' } },
    { fault: { why: 'private_address', url: 'https://10.0.0.1/' } },
    { fault: { why: 'key_without_service' } },
    { fault: { why: 'no_api_key' } },
    { fault: { why: 'no_signing_key' } },
    { fault: { why: 'no_sender', listen: '127.0.0.1:8795' } },
  ],
  health_unusable: [null, 'EADDRINUSE'].map((cause) => ({ listen: '127.0.0.1', cause })),
  webhooks_unusable: [
    { fault: { why: 'no_address' } },
    { fault: { why: 'no_key' } },
    { fault: { why: 'secret_itself' } },
    { fault: { why: 'no_whpk_key' } },
    { fault: { why: 'unusable_key', problem: 'small_order' } },
    { fault: { why: 'no_secret', reference: 'env:SECRET' } },
    { fault: { why: 'wrong_address', text: 'here' } },
    { fault: { why: 'not_listening', listen: '127.0.0.1:1', code: null } },
    { fault: { why: 'not_listening', listen: '127.0.0.1:1', code: 'EACCES' } },
  ],
  shipped_service_unusable: [
    { fault: { why: 'wrong_webhook', cause: 'it is private' } },
    { fault: { why: 'data_unusable', cause: 'it is newer' } },
    { fault: { why: 'port_taken', port: 8791 } },
    { fault: { why: 'port_forbidden', port: 80 } },
    { fault: { why: 'files', dataDir: '.payrun', cause: 'no space' } },
  ],
  shipped_service_held: [{ path: '.payrun/service' }],
  no_service_running: [
    { fault: { why: 'none_running', dataDir: '.payrun' } },
    { fault: { why: 'no_admin_port', url: 'http://127.0.0.1:1' } },
    { fault: { why: 'ended', where: '.payrun', url: 'http://127.0.0.1:1' } },
    { fault: { why: 'silent', where: '.payrun', url: 'http://127.0.0.1:1', cause: 'ECONNREFUSED' } },
  ],
  admin_unavailable: [{ message: 'it is restoring' }],
  admin_refused: [{ operation: 'fault.add', message: 'no such kind' }],
  admin_not_on_loopback: [{ url: 'http://pay.example/' }],
  key_file_unusable: [{ fault: { path: 'key.pem', code: 'damaged', how: 'base64' } }],
  journal_damaged: [{ cause: { code: 'file_damaged' } }],
  reports_not_writable: [{ path: 'reports', cause: 'EACCES' }],
  modulus_unreadable: [{ file: 'table', path: 'valacdos.txt', cause: 'ENOENT' }],
  modulus_without_table: [{}],
  no_job_for_file: [{ named: 'pay.csv' }],
  approvers_known: [{}],
  queue_unusable: (['no_rights', 'newer', 'failed'] as const).map((why) => {
    return { database: 'postgres://payrun_worker@db.example/payrun', why, cause: 'permission denied for table job' };
  }),
  workers_need_database: [{ what: 'worker' }, { what: 'detach' }],
  workers_need_service: [{}],
  worker_lacks_key: [
    { runId: R, service: 'https://pay.example/', cause: { code: 'wrong_credentials', fault: { why: 'no_api_key' } } },
  ],
  run_stopped: [{ runId: R, why: { code: 'unreadable', cause: 'no JSON' } }],
  worker_failed: [{ runId: R, cause: 'no space left on device' }],
  run_paused: [{ runId: R }],
  job_unreadable_today: [{ runId: R, job: 'pay', cause: { code: 'interrupted' } }],
  file_problems: [
    { file: 'pay.yaml', kind: 'job', problems: [{ line: 1, column: 1, code: 'no_key' }], more: 0 },
    { file: 'pay.yaml', kind: 'profile', problems: [], more: 2 },
    { file: 'pay.yaml', kind: 'approval', problems: [], more: 2 },
  ],
  settings_file_unreadable: [
    { path: 'pay.yaml', fault: { why: 'absent' } },
    { path: 'pay.yaml', fault: { why: 'no_plain_file' } },
    { path: 'pay.yaml', fault: { why: 'unreadable', cause: 'EACCES' } },
  ],
  unknown_job: [
    { name: 'pay', folder: 'jobs', jobs: [], more: false, nearest: null },
    { name: 'pay', folder: 'jobs', jobs: ['payroll'], more: true, nearest: 'payroll' },
  ],
  no_input_file: [
    { where: 'pay.yaml:1:1', input: 'pay.csv', isPattern: false },
    { where: 'pay.yaml:1:1', input: '*.csv', isPattern: true },
  ],
  allowed_payees_unusable: [
    { where: 'pay.yaml:1:1', path: 'ids.txt', fault: { why: 'empty' } },
    { where: 'pay.yaml:1:1', path: 'ids.txt', fault: { why: 'no_column' } },
    { where: 'pay.yaml:1:1', path: 'ids.txt', fault: { why: 'unreadable', cause: 'ENOENT' } },
  ],
  job_without_schedule: [{ file: 'pay.yaml' }],
  no_scheduled_job: [{ folder: 'jobs' }],
  limits_exceeded: [
    {
      named: [{ row: 2, name: 'Ada', payeeId: 'E1', fault: LIMIT }],
      more: 3,
      rows: [2],
      rowCount: 1,
      whole: [],
    },
    { named: [], more: 0, rows: [], rowCount: 0, whole: [LIMIT] },
  ],
  day_limit_exceeded: [
    { faults: [LIMIT], isAlone: true },
    { faults: [LIMIT], isAlone: false },
  ],
  no_journal: [
    { dataDir: '.payrun', database: null },
    { dataDir: '.payrun', database: 'postgres://payrun@db/payrun' },
  ],
  passphrase_unusable: (['none', 'differ', 'no_terminal', 'is_terminal', 'too_long'] as const).map((why) => ({ why })),
  passphrase_too_short: [{ lettersMin: 10 }],
  output_unusable: [
    { path: 'a.xlsx', option: '--fix', why: 'is_input' },
    { path: 'a.xlsx', option: '--fix', why: 'not_a_file' },
    { path: 'a.xlsx', option: '--fix', why: 'exists' },
    { path: 'a.xlsx', option: '--fix', why: 'wrong_ending', endings: ['.csv'], isOfInput: true },
    { path: 'a.pdf', option: '--out', why: 'wrong_ending', endings: ['.xlsx', '.csv'], isOfInput: false },
    { path: 'a.xlsx', option: '--fix', why: 'not_read', cause: 'EACCES' },
  ],
  output_not_written: [{ path: 'a.xlsx', cause: 'ENOSPC' }],
  unknown_rail: [
    { name: 'AUD_NP', near: ['AUD_NPP'] },
    { name: 'X', near: [] },
  ],
  resolution_unclear: (['none', 'both', 'no_transaction'] as const).map((why) => ({ why })),
  not_a_row: [{ given: 'x' }],
  payee_unclear: (['none', 'both', 'email_alone'] as const).map((why) => ({ why })),
  no_hold_reason: [{ most: 500 }],
  payee_not_held: [{ payee: 'E1' }],
  payee_known_by_id: [{ name: 'Ada', payeeIds: ['E1', 'E2'] }],
  resolution_not_confirmed: [
    { asked: null },
    { asked: { row: 3, payee: 'Ada', verdict: { kind: 'not_sent' } } },
    { asked: { row: 3, payee: 'Ada', verdict: { kind: 'sent', transactionId: 'tx_1' } } },
  ],
  payment_not_confirmed: [{ asked: null }, { asked: '3 payouts from a.csv: 3.00 AUD' }],
  cancel_unclear: [{}],
  fixed_by_plan: (['period', 'ceilings', 'rows'] as const).map((what) => ({ what })),
  retry_awaits_approval: [
    { runId: R, needed: 1 },
    { runId: R, needed: 2 },
  ],
  total_not_given: [
    { runId: R, why: 'no_terminal' },
    { runId: R, why: 'mistyped' },
    { runId: R, why: 'another', given: '1' },
    { runId: R, why: 'no_currency', given: '3.00', total: '3.00 AUD' },
  ],
  rows_not_given: [
    { runId: R, rows: [3] },
    { runId: R, rows: [3, 5] },
  ],
  row_not_waiting: [
    { given: '4', waiting: [3] },
    { given: '4', waiting: [] },
  ],
  page_address_unusable: [
    { why: 'in_the_clear', host: '10.0.0.1' },
    { why: 'unknown_host', host: '10.0.0.1' },
    { why: 'no_https_origin', origin: 'http://a.example' },
    { why: 'proxy_and_tls' },
    { why: 'half_tls' },
    { why: 'no_host_name' },
    { why: 'no_certificate', file: 'a.pem' },
    { why: 'out_of_time', file: 'a.pem', hasEnded: true, day: '2026-11-25' },
    { why: 'unreadable', cause: 'ENOENT' },
    { why: 'refused', cause: 'key values mismatch' },
  ],
  report_not_writable: [{ directory: 'reports', cause: 'EACCES' }],
  bad_witness: [
    { path: 'a.txt', cause: null },
    { path: 'a.txt', cause: 'ENOENT' },
  ],
  admin_body: [
    { why: 'no_json', operation: 'clock.advance', problem: 'is no JSON' },
    { why: 'given_twice', name: 'ms' },
    { why: 'no_pair', word: 'x' },
  ],
  service_data_unusable: [
    { dataDir: '.payrun', cause: null },
    { dataDir: '.payrun', cause: 'it is of another payrun' },
  ],
  service_stopped: [{ dataDir: '.payrun', cause: 'ENOSPC' }],
  page_people_unusable: [{ cause: 'name: is too long' }],
};

const HERE = { command: plainCommand, near: (file: string) => file };

const REASONS = Object.entries(SAMPLES).flatMap(([code, samples]) =>
  samples.map((sample) => ({ code, ...sample }) as RefusalReason),
);

/** What only options, answers and files of a command line are refused for. */
const AT_COMMAND_LINE = new Set(Object.keys(COMMAND_KINDS));
for (const code of ['no_journal', 'output_not_written', 'page_people_unusable']) AT_COMMAND_LINE.delete(code);

test.each(REASONS.filter(({ code }) => !AT_COMMAND_LINE.has(code)).map((reason) => [reason.code, reason] as const))(
  'the page names no command and no option: %s',
  (_code, reason) => {
    const { message, remedy } = refusalOnPage({ reason });
    expect(message).not.toBe('');
    expect(commandsIn(`${message} ${remedy}`)).toEqual([]);
  },
);

/** Refusals that never appear on the page: they concern moving journals, settings files and options. */
const IN_ENGLISH: ReadonlySet<string> = new Set([
  ...['admin_unavailable', 'admin_not_on_loopback', 'file_problems', 'settings_file_unreadable', 'period_unusable'],
  ...['journal_in_use', 'journal_being_moved', 'journal_not_moving', 'journal_same', 'journal_other_chain'],
  ...['journal_not_sound', 'journal_in_database', 'journal_backup_exists', 'journal_backup_failed'],
  ...['output_not_written', 'payee_unclear', 'no_hold_reason', 'payee_not_held', 'payee_known_by_id'],
]);

test('translated refusals on the page have no English left, except names and causes from other programs', () => {
  const back = speakPseudo('de');
  const found = asViewer({ ...ANYBODY, language: 'de' }, () =>
    REASONS.filter(({ code }) => !AT_COMMAND_LINE.has(code) && !IN_ENGLISH.has(code)).flatMap((reason) => {
      const { message, remedy } = refusalOnPage({ reason });
      const left = englishIn(`${message} ${remedy}`, reason);
      return left === '' ? [] : [`${reason.code}: ${left}`];
    }),
  );
  back();
  expect([...new Set(found)]).toEqual([]);
});

test('a command line names the literal commands', () => {
  const texts = REASONS.map((reason) => refusalText({ reason }, HERE)).map(({ message, remedy }) => message + remedy);
  expect(texts.flatMap(commandsIn).length).toBeGreaterThan(30);
});

test('why a run stopped names no command and no option on the page', () => {
  const payee = { name: 'Ada', target: 'recipient', rows: [2] } as const;
  const open = (state: 'unresolved' | 'not_made') =>
    stopText({ code: 'open_payees', rows: 1, count: 1, payees: [{ ...payee, state }], states: [state] }, 'page');
  expect(open('unresolved')).toBe(
    '1 row of 1 payee waits: whether the recipient record of Ada (row 2) was made is not known. “Go on” looks again',
  );
  const texts = TROUBLES.map((trouble) => stopText({ code: 'service_trouble', trouble }, 'page'));
  expect([open('not_made'), ...texts].flatMap(commandsIn)).toEqual([]);
});
