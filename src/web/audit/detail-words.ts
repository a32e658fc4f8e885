import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { localMoment } from '../../messages/local-time.ts';
import { messages } from '../../messages/messages.ts';
import { grouped, listed } from '../../messages/text.ts';
import { isOffered, t, textTable } from '../../messages/translate.ts';
import { LANGUAGE_NAMES } from '../../messages/viewer.ts';
import { grantText, ROLE_NAMES } from '../people/access-words.ts';
import { inWordsOfReader } from '../refused.ts';
import { type Html, html } from '../shell/html.ts';
import { sizeText } from '../shell/words.ts';

// The log has facts, and codes; they get their words when somebody reads them, in that language.

const DETAIL_MAX = 160;
/** A proof is verified, and not shown as text; of a refusal its words are. */
const LONG: ReadonlySet<string> = new Set(['passkey', 'refusal']);

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
  onlyValid: 'only valid',
  foldReferences: 'fold references',
  reset: 'reset',
  forget: 'forget',
  ok: 'ok',
  rehearsal: 'rehearsal',
});

/** The others; what has no words here is called by its name. */
const DETAILS: Readonly<Record<string, (value: string) => string>> = {
  reason: (value) => t`reason ${value}`,
  scheduled: (value) => t`scheduled ${value}`,
  exit: (value) => t`exit ${value}`,
  why: (value) => t`why ${value}`,
  whom: (value) => t`member ${value}`,
  address: (value) => t`address ${value}`,
  job: (value) => t`job ${value}`,
  row: (value) => t`row ${value}`,
  rows: (value) => t`rows ${value}`,
  format: (value) => t`format ${value}`,
  payee_id: (value) => t`recipient ID ${value}`,
  tag: (value) => t`tag ${value}`,
  layout: (value) => t`layout ${value}`,
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
  accounts_confirmed: (value) => t`changed accounts confirmed ${value}`,
  connection_seen: (value) => t`connection seen ${value}`,
  required: (value) => t`required ${value}`,
  revision: (value) => t`revision ${value}`,
  changed: (value) => t`changed ${value}`,
  cells: (value) => t`cells ${value}`,
  rows_added: (value) => t`rows added ${value}`,
  rows_deleted: (value) => t`rows deleted ${value}`,
  rows_restored: (value) => t`rows restored ${value}`,
  undoes: (value) => t`undoes ${value}`,
  period: (value) => t`period ${value}`,
  allowRepeat: (value) => t`allow repeat ${value}`,
  columns: (value) => t`columns ${value}`,
  sheet: (value) => t`sheet ${value}`,
  decimal: (value) => t`decimal ${value}`,
  encoding: (value) => t`encoding ${value}`,
  currency: (value) => t`currency ${value}`,
  rails: (value) => t`rails ${value}`,
  page: (value) => t`page ${value}`,
  payouts: (value) => t`payouts ${value}`,
  runs: (value) => t`runs ${value}`,
  profile: (value) => t`profile ${value}`,
};

/** Values that are codes, by the detail that they are of. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = textTable({
  second_factor: { app: 'app', 'recovery code': 'recovery code', passkey: 'passkey' },
  verdict: { sent: 'sent', not_sent: 'not sent' },
  required: { 'of everyone': 'of everyone', 'of nobody': 'of nobody' },
  job: { none: 'none' },
  label: { Passkey: 'Passkey' },
  kind: { sign_in: 'sign-in', passkeys: 'passkeys', access: 'access' },
});

/** What people are mailed about. */
const EVENTS: Readonly<Record<string, string>> = textTable({
  waiting: 'waiting',
  changed_details: 'changed details',
  failed: 'failed',
  unresolved: 'unresolved',
  returned: 'returned',
  stopped: 'stopped',
});

/** What an entry says beside who did what, as its reader reads it. */
export function detailsCell({ details }: { details: Record<string, unknown> }): Html {
  const shown = Object.entries(details).filter(([name, value]) => !LONG.has(name) && !isNothing(name, value));
  const words = (isFolded: boolean) =>
    shown
      .flatMap(([name, value]) => (FOLDED.has(name) === isFolded ? [oneDetail(name, value, details)] : []))
      .join(', ');
  const [plain, folded] = [words(false), words(true)];
  return html`${plain && html`<span class="details">${plain}</span>`}${folded && html`<details><summary>Hashes and ids</summary><span class="details id">${folded}</span></details>`}`;
}

function oneDetail(name: string, value: unknown, details: Record<string, unknown>): string {
  if (value === true) return IS_SO[name] ?? inWords(name);
  if (name === 'bytes' && typeof value === 'number') return sizeText(value);
  const text = name === 'why' ? whyText(details) : plain(name, value);
  const shown = text.length > DETAIL_MAX ? `${text.slice(0, DETAIL_MAX)}…` : text;
  return name === 'name' ? shown : (DETAILS[name]?.(shown) ?? `${inWords(name)} ${shown}`);
}

/** Why something was refused: in the reader's words where the refusal was kept with it. */
function whyText({ why, refusal }: Record<string, unknown>): string {
  const kept = { message: plain('why', why), remedy: '' };
  return inWordsOfReader({ ...kept, ...(isReason(refusal) && { refusal }) }).message;
}

function isReason(refusal: unknown): refusal is RefusalReason {
  return typeof refusal === 'object' && refusal !== null && 'code' in refusal;
}

function isNothing(name: string, value: unknown): boolean {
  if (value === undefined) return true;
  const isEmpty = value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
  return isEmpty || (name === 'exit' && value === 0);
}

/** `only valid` of `only_valid` and of `onlyValid`. */
function inWords(name: string): string {
  return name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const RUN_ID = /^R\d{8}-[0-9A-Z]{8}$/;

/** A total as a passkey signs it. */
const TOTAL = /^(\d+(?:\.\d+)?) (\S+)$/;

function plain(name: string, value: unknown): string {
  if (typeof value === 'string') {
    if (name === 'total')
      return value.replace(TOTAL, (_, amount: string, currency) => `${grouped(amount)} ${currency}`);
    if (name === 'language' && isOffered(value)) return LANGUAGE_NAMES[value];
    return VALUES[name]?.[value] ?? (RUN_ID.test(value) ? messages.runs.runName(value) : value);
  }
  if (name === 'at' && typeof value === 'number') return localMoment(value);
  if (Array.isArray(value))
    return listed(value.map((one) => ROLE_NAMES[one] ?? EVENTS[one] ?? grantText(String(one)) ?? plain(name, one)));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([part, held]) => `${name === 'changes' ? '' : `${inWords(part)} `}${plain(part, held)}`)
    .join(', ');
}
