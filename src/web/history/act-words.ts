import type { AuditEntry } from '../audit/audit-log.ts';

/** What people did on the page, as the audit log calls it, and in words. */
const ACTS: Readonly<Record<string, string>> = {
  signed_in: 'signed in',
  signed_out: 'signed out',
  sign_in_refused: 'could not sign in',
  first_person_came_in: 'came in as the first person',
  came_in: 'came in by an invitation',
  password_reset: 'came in again by a link, with a new password',
  password_changed: 'changed the password',
  passkey_added: 'added a passkey',
  passkey_removed: 'removed a passkey',
  invited: 'invited somebody',
  roles_changed: 'changed the roles of somebody',
  locked_out: 'locked somebody out',
  let_in_again: 'let somebody in again',
  uploaded: 'uploaded a file',
  upload_removed: 'removed a file that was uploaded',
  upload_expired: 'removed a file, because it was kept long enough',
  reading_changed: 'said how a file is to be read',
  planned: 'made a plan',
  plan_refused: 'was refused a plan',
  approved: 'approved the plan',
  approval_refused: 'was refused an approval',
  started: 'started the run',
  start_refused: 'was refused a start',
  cancelled: 'stopped the run',
  resumed: 'let the run go on',
  resumed_by_itself: 'let the run go on, because it was cut off',
  resubmitted_absent: 'had everything sent again that the service does not list',
  resolved: 'said what became of a payout',
  retry_planned: 'planned the failed and rejected rows again',
  failed_rows_taken: 'took the failed and rejected rows, to correct them',
  report_taken: 'took the report',
};

export function actWords(act: string): string {
  return ACTS[act] ?? act.replaceAll('_', ' ');
}

const DETAIL_MAX = 160;
/** Proofs are told as such, and not as text. */
const LONG: ReadonlySet<string> = new Set(['passkey']);

/** `row 5, verdict not_sent`. */
export function detailWords({ details }: Pick<AuditEntry, 'details'>): string {
  const words = Object.entries(details).flatMap(([name, value]) => {
    if (LONG.has(name) || isNothing(value) || (name === 'exit' && value === 0)) return [];
    const text = plain(value);
    if (value === true) return [inWords(name)];
    return [`${inWords(name)} ${text.length > DETAIL_MAX ? `${text.slice(0, DETAIL_MAX)}…` : text}`];
  });
  return words.join(', ');
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

/** `only valid` of `only_valid` and of `onlyValid`. */
function inWords(name: string): string {
  return name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(plain).join(' and ') : JSON.stringify(value);
}
