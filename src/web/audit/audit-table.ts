import type { AuditEntry } from '../../app/people/audit-log.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, moment, table } from '../shell/parts.ts';
import { detailsCell } from './detail-words.ts';

/** Whether a record is as it was written, in words. */
export type Proven = { ok: boolean; text: string };

export type AuditLine = AuditEntry & {
  /** The person's name; null where it was nobody. */
  name: string | null;
  /** Of an approval with a passkey: whether its signature is right, verified now. */
  proof: Proven | null;
};

const BY_ITSELF: ReadonlySet<string> = new Set(['resumed_by_itself', 'upload_expired']);

/** What people did, a line for each act. `payments`: what each is called, by its id; null where all lines are about one. */
export function auditTable(lines: readonly AuditLine[], payments: ReadonlyMap<string, string> | null): Html {
  const columns: Column<AuditLine>[] = [
    [t`When`, ({ at }) => moment(at, 'exact'), 'small'],
    [
      t`Who`,
      ({ name, act }) => name ?? html`<span class="soft">${either(BY_ITSELF.has(act), 'the page', 'nobody')}</span>`,
      'head',
    ],
    [t`Action taken`, (line) => actCell(line, payments)],
    [t`Details`, detailsCell, 'small'],
  ];
  return table(t`Activity of people`, columns, lines, { className: 'rows lines names' });
}

function actCell({ act, runId, proof }: AuditLine, payments: ReadonlyMap<string, string> | null): Html {
  const run =
    payments !== null &&
    runId !== null &&
    html` <a href="/runs/${runId}" title="${runId}">${payments.get(runId) ?? runId}</a>`;
  const proven = proof && html`<span class="why small ${proof.ok ? 'right' : 'wrong'}">${proof.text}</span>`;
  return html`${ACTS[act] ?? act.replaceAll('_', ' ')}${run}${proven}`;
}

/** What people did on the page, as the audit log calls it, and in words. */
const ACTS: Readonly<Record<string, string>> = textTable({
  signed_in: 'signed in',
  signed_out: 'signed out',
  sign_in_refused: 'failed to sign in',
  first_person_came_in: 'set up the page',
  came_in: 'accepted an invitation',
  password_reset: 'set a new password by link',
  password_changed: 'changed the password',
  view_chosen: 'chose a language and a time zone',
  notices_chosen: 'changed mail notices',
  passkey_added: 'added a passkey',
  passkey_removed: 'removed a passkey',
  added_by_provider: 'signed in through the provider for the first time',
  provider_connected: 'connected the account with the sign-in provider',
  app_added: 'added an authenticator app',
  app_removed: 'removed the authenticator app',
  second_factor_refused: 'entered a wrong second factor',
  second_factor_policy: 'changed the second-factor policy',
  access_confirmed: 'confirmed a reset',
  link_made: 'created a new sign-in link for a member',
  passkeys_removed: 'removed a member’s passkeys',
  invited: 'invited a member',
  roles_changed: 'changed the roles of a member',
  access_changed: 'changed the access of a member',
  locked_out: 'deactivated a member',
  let_in_again: 'reactivated a member',
  token_made: 'created an API token',
  token_revoked: 'revoked an API token',
  webhook_added: 'added a webhook endpoint',
  webhook_removed: 'removed a webhook endpoint',
  connection_added: 'added a connection',
  connection_tested: 'tested a connection',
  connection_rotated: 'rotated the keys of a connection',
  connection_confirmed: 'confirmed a connection',
  connection_disabled: 'disabled a connection',
  connection_enabled: 'enabled a connection',
  entity_added: 'added an entity',
  entity_renamed: 'renamed an entity',
  uploaded: 'uploaded a file',
  upload_removed: 'removed a file that was uploaded',
  upload_expired: 'removed a file after its retention period',
  reading_changed: 'changed how a file is read',
  job_chosen: 'chose what a file is for',
  rows_edited: 'edited the rows of a file',
  edit_undone: 'undid an edit of a file',
  edit_redone: 'redid an edit of a file',
  planned: 'prepared a payment',
  plan_refused: 'was refused a plan',
  approved: 'approved the plan',
  approval_refused: 'was refused an approval',
  scheduled: 'scheduled the payment',
  schedule_recalled: 'removed the scheduled time',
  started: 'started the run',
  start_refused: 'was refused a start',
  commented: 'commented',
  rejected: 'rejected the payment',
  recalled: 'recalled the payment',
  cancelled: 'stopped the run',
  paused: 'paused the run',
  resumed: 'resumed the run',
  resumed_by_itself: 'resumed the interrupted run',
  resubmitted_absent: 'resent everything the service does not list',
  resolved: 'recorded the outcome of a payout',
  retry_planned: 'planned the failed and rejected rows again',
  failed_rows_taken: 'downloaded the failed and rejected rows to correct them',
  payee_held: 'put a recipient on hold: do not pay',
  payee_tagged: 'tagged a recipient',
  payee_untagged: 'removed a tag from a recipient',
  payee_released: 'released a recipient who was on hold',
  layout_saved: 'saved a layout',
  layout_renamed: 'renamed a layout',
  layout_removed: 'deleted a layout',
  table_taken: 'downloaded a table',
  report_taken: 'downloaded the report',
});
