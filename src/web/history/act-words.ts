import type { AuditEntry } from '../audit/audit-log.ts';
import { sizeText } from '../shell/words.ts';

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
  access_confirmed: 'confirmed that a reset was in order',
  link_made: 'made a new link for somebody',
  passkeys_removed: 'removed the passkeys of somebody',
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

/** Hashes, and ids by which the page knows people and files: who compares them opens them. */
const FOLDED: ReadonlySet<string> = new Set(['digest', 'public_key', 'sha256', 'upload', 'whom']);

/** `July.csv, 6.4 KB`, and `sha256 72845e02…` apart from it. */
export function detailWords({ details }: Pick<AuditEntry, 'details'>): { words: string; folded: string } {
  const told = Object.entries(details).filter(
    ([name, value]) => !LONG.has(name) && !isNothing(value) && !(name === 'exit' && value === 0),
  );
  const wordsOf = (isFolded: boolean) =>
    told.flatMap(([name, value]) => (FOLDED.has(name) === isFolded ? [oneDetail(name, value)] : [])).join(', ');
  return { words: wordsOf(false), folded: wordsOf(true) };
}

function oneDetail(name: string, value: unknown): string {
  if (value === true) return inWords(name);
  if (name === 'bytes' && typeof value === 'number') return sizeText(value);
  const text = plain(value);
  const shown = text.length > DETAIL_MAX ? `${text.slice(0, DETAIL_MAX)}…` : text;
  return name === 'name' ? shown : `${inWords(name)} ${shown}`;
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
  if (Array.isArray(value)) return value.map(plain).join(' and ');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, part]) => `${inWords(name)} ${plain(part)}`)
    .join(', ');
}
