import type { AuditEntry } from '../../app/people/audit-log.ts';
import { joined } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, moment, table } from '../shell/parts.ts';
import { sizeText } from '../shell/words.ts';

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
    [t`Did what`, (line) => actCell(line, payments)],
    [t`Details`, detailsCell, 'small'],
  ];
  return table(t`What people did`, columns, lines, { className: 'rows names' });
}

function actCell({ act, runId, proof }: AuditLine, payments: ReadonlyMap<string, string> | null): Html {
  const run =
    payments !== null &&
    runId !== null &&
    html` <a href="/runs/${runId}" title="${runId}">${payments.get(runId) ?? runId}</a>`;
  const proven = proof && html`<span class="why small ${proof.ok ? 'right' : 'wrong'}">${proof.text}</span>`;
  return html`${ACTS[act] ?? act.replaceAll('_', ' ')}${run}${proven}`;
}

function detailsCell({ details }: AuditLine): Html {
  const shown = Object.entries(details).filter(([name, value]) => !LONG.has(name) && !isNothing(name, value));
  const words = (isFolded: boolean) =>
    shown.flatMap(([name, value]) => (FOLDED.has(name) === isFolded ? [oneDetail(name, value)] : [])).join(', ');
  const [plain, folded] = [words(false), words(true)];
  return html`${plain && html`<span class="details">${plain}</span>`}${folded && html`<details><summary>Hashes and ids</summary><span class="details id">${folded}</span></details>`}`;
}

/** What people did on the page, as the audit log calls it, and in words. */
const ACTS: Readonly<Record<string, string>> = textTable({
  signed_in: 'signed in',
  signed_out: 'signed out',
  sign_in_refused: 'could not sign in',
  first_person_came_in: 'set up the page',
  came_in: 'accepted an invitation',
  password_reset: 'came in again by a link, with a new password',
  password_changed: 'changed the password',
  view_chosen: 'chose a language and a time zone',
  notices_chosen: 'chose what to be mailed about',
  passkey_added: 'added a passkey',
  passkey_removed: 'removed a passkey',
  added_by_provider: 'came from the sign-in provider for the first time',
  provider_connected: 'connected the account with the sign-in provider',
  app_added: 'added an authenticator app',
  app_removed: 'removed the authenticator app',
  second_factor_refused: 'gave a second factor that is not right',
  second_factor_policy: 'changed who signs in with a second factor',
  access_confirmed: 'confirmed that a reset was in order',
  link_made: 'made a new link for somebody',
  passkeys_removed: 'removed the passkeys of somebody',
  invited: 'invited a member',
  roles_changed: 'changed the roles of a member',
  access_changed: 'changed the access of a member',
  locked_out: 'deactivated a member',
  let_in_again: 'reactivated a member',
  token_made: 'made an API token',
  token_revoked: 'revoked an API token',
  webhook_added: 'added a webhook endpoint',
  webhook_removed: 'removed a webhook endpoint',
  connection_added: 'added a connection',
  connection_tested: 'tested a connection',
  connection_rotated: 'rotated the keys of a connection',
  connection_confirmed: 'confirmed a connection that somebody else had changed',
  connection_disabled: 'disabled a connection',
  connection_enabled: 'enabled a connection',
  entity_added: 'added an entity',
  entity_renamed: 'renamed an entity',
  uploaded: 'uploaded a file',
  upload_removed: 'removed a file that was uploaded',
  upload_expired: 'removed a file, because it was kept long enough',
  reading_changed: 'changed how a file is read',
  job_chosen: 'chose what a file is for',
  rows_edited: 'edited the rows of a file',
  edit_undone: 'took back an edit of the rows of a file',
  edit_redone: 'made an edit of the rows of a file again',
  planned: 'prepared a payment',
  plan_refused: 'was refused a plan',
  approved: 'approved the plan',
  approval_refused: 'was refused an approval',
  scheduled: 'scheduled the payment',
  schedule_recalled: 'removed the time of the payment',
  started: 'started the run',
  start_refused: 'was refused a start',
  commented: 'wrote a comment',
  rejected: 'rejected the payment',
  recalled: 'recalled the payment',
  cancelled: 'stopped the run',
  paused: 'paused the run',
  resumed: 'let the run go on',
  resumed_by_itself: 'let the run go on, because it was cut off',
  resubmitted_absent: 'had everything sent again that the service does not list',
  resolved: 'recorded what became of a payout',
  retry_planned: 'planned the failed and rejected rows again',
  failed_rows_taken: 'took the failed and rejected rows, to correct them',
  payee_held: 'put a recipient on hold: do not pay',
  payee_tagged: 'tagged a recipient',
  payee_untagged: 'removed a tag of a recipient',
  payee_released: 'released a recipient who was on hold',
  table_taken: 'downloaded a table',
  report_taken: 'took the report',
});

const DETAIL_MAX = 160;
/** A proof is verified, and not shown as text. */
const LONG: ReadonlySet<string> = new Set(['passkey']);

/** Hashes, and ids by which the page knows people and files: they are there to be compared. */
const FOLDED: ReadonlySet<string> = new Set([
  'digest',
  'public_key',
  'sha256',
  'upload',
  'whom',
  'token_id',
  'endpoint',
]);

/** Details that are shown by their name alone. */
const IS_SO: Readonly<Record<string, string>> = textTable({
  only_valid: 'only valid',
  asked: 'asked',
  provider: 'provider',
  by_provider: 'by provider',
});

/** The others; what has no words here is called by its name. */
const DETAILS: Readonly<Record<string, (value: string) => string>> = {
  reason: (value) => t`reason ${value}`,
  scheduled: (value) => t`scheduled ${value}`,
  exit: (value) => t`exit ${value}`,
  why: (value) => t`why ${value}`,
  whom: (value) => t`whom ${value}`,
  address: (value) => t`address ${value}`,
  job: (value) => t`job ${value}`,
  row: (value) => t`row ${value}`,
  rows: (value) => t`rows ${value}`,
  format: (value) => t`format ${value}`,
  payee_id: (value) => t`recipient ID ${value}`,
  tag: (value) => t`tag ${value}`,
  connection: (value) => t`connection ${value}`,
  entity: (value) => t`entity ${value}`,
  before: (value) => t`before ${value}`,
  roles: (value) => t`roles ${value}`,
  from: (value) => t`from ${value}`,
  to: (value) => t`to ${value}`,
  time: (value) => t`time ${value}`,
  time_zone: (value) => t`time zone ${value}`,
  language: (value) => t`language ${value}`,
  timeZone: (value) => t`time zone ${value}`,
  token: (value) => t`token ${value}`,
  host: (value) => t`host ${value}`,
  events: (value) => t`events ${value}`,
  changes: (value) => t`changes ${value}`,
  kept: (value) => t`kept ${value}`,
  label: (value) => t`label ${value}`,
  id: (value) => t`id ${value}`,
  scopes: (value) => t`scopes ${value}`,
  expires: (value) => t`expires ${value}`,
  second_factor: (value) => t`second factor ${value}`,
  verdict: (value) => t`verdict ${value}`,
  transaction: (value) => t`transaction ${value}`,
  total: (value) => t`total ${value}`,
  comment: (value) => t`comment ${value}`,
  table: (value) => t`table ${value}`,
  sha256: (value) => t`sha256 ${value}`,
  digest: (value) => t`digest ${value}`,
  upload: (value) => t`upload ${value}`,
  public_key: (value) => t`public key ${value}`,
  paid_before: (value) => t`paid before ${value}`,
  connection_seen: (value) => t`connection seen ${value}`,
};

function oneDetail(name: string, value: unknown): string {
  if (value === true) return IS_SO[name] ?? inWords(name);
  if (name === 'bytes' && typeof value === 'number') return sizeText(value);
  const text = plain(value);
  const shown = text.length > DETAIL_MAX ? `${text.slice(0, DETAIL_MAX)}…` : text;
  return name === 'name' ? shown : (DETAILS[name]?.(shown) ?? `${inWords(name)} ${shown}`);
}

function isNothing(name: string, value: unknown): boolean {
  const isEmpty = value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
  return isEmpty || (name === 'exit' && value === 0);
}

/** `only valid` of `only_valid` and of `onlyValid`. */
function inWords(name: string): string {
  return name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value.map(plain));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, part]) => `${inWords(name)} ${plain(part)}`)
    .join(', ');
}
