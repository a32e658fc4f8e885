import { tokensIn } from '../../src/runner/token.ts';
import type { Answer } from '../../src/service/gateway/answers.ts';
import { cursorText } from '../../src/service/listing.ts';
import type { Store } from '../../src/service/store/database.ts';
import { hashText, type Random } from './random.ts';
import type { ServiceVariant } from './variant.ts';

type Account = { id?: string; account_name?: string | null; account_number?: string | null };

type Shown = {
  id: string;
  created_at: string;
  status: string;
  metadata?: { description?: string | null } | null;
  external_account_metadata?: Account | null;
};

type Looks = { variant: ServiceVariant; random: Random; store: Store; nowMs: number };

/** The answer of the shipped service as the variant would give it: late lists, small pages, changed descriptions. */
export function disguised(answer: Answer, operation: string, request: Uint8Array, looks: Looks): Answer {
  const { variant } = looks;
  const headers = { ...answer.headers, 'x-payrun-rehearsal': 'true' };
  if (!variant.hasDate) delete (headers as Record<string, string | undefined>).date;
  if (answer.status !== 200 || !DISGUISED.has(operation)) return { ...answer, headers };
  const { data } = JSON.parse(answer.body);
  const asked = request.length === 0 ? {} : JSON.parse(Buffer.from(request).toString('utf8'));
  return { ...answer, headers, body: JSON.stringify({ data: change(data, operation, asked, looks) }) };
}

const DISGUISED = new Set([
  'transaction.getMany',
  'transaction.get',
  'account.recipient.getMany',
  'account.external.bank.getAll',
  'account.external.web3.getAll',
]);

// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
function change(data: any, operation: string, asked: any, looks: Looks): any {
  const { variant } = looks;
  switch (operation) {
    case 'transaction.get':
      return paidTo(described(data, looks), looks);
    case 'transaction.getMany': {
      const visible = data.transactions.filter((record: Shown) => isListed(record, looks));
      const hidden = data.transactions.filter(
        (record: Shown) => !isListed(record, looks) && record.status !== 'FAILED',
      );
      const totals = { ...data.totals, transfers: data.totals.transfers - hidden.length };
      const shown: Shown[] = visible.map((record: Shown) => described(record, looks));
      const found = asked.search === undefined ? shown : shown.filter((record) => matches(record, asked.search));
      totals.transfers -= shown.filter((record) => !found.includes(record) && record.status !== 'FAILED').length;
      const answer = paged({ ...data, transactions: found, totals }, 'transactions', looks);
      if (variant.cursor !== 'lies' || answer.transactions.length === found.length) return answer;
      // One who lies about the end counts no more than it shows.
      const transfers = answer.transactions.filter(({ status }: Shown) => status !== 'FAILED').length;
      return { ...answer, totals: { ...totals, transfers } };
    }
    case 'account.recipient.getMany': {
      const recipients = data.recipients.filter((record: Shown) => isListed(record, looks));
      return paged({ ...data, recipients }, 'recipients', looks);
    }
    default:
      if (variant.hasFingerprints) return data;
      return data.map(({ fingerprint: _, ...record }: { fingerprint: string }) => record);
  }
}

/** A search looks at what is shown: a token that was taken away is not found by it. Names the service has looked at. */
function matches({ id, metadata }: Shown, search: string): boolean {
  if (tokensIn(search).length === 0) return true;
  const text = `${id} ${metadata?.description ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Whether the service lists a record by now. */
export function isListed(record: Pick<Shown, 'id' | 'created_at'>, looks: Omit<Looks, 'random'>): boolean {
  // One that lists at once shows what it holds, whatever its clock is set back to meanwhile.
  const lagMs = lagOf(record, looks);
  return lagMs === 0 || Date.parse(record.created_at) + lagMs <= looks.nowMs;
}

/** How late a record is listed: the same whenever it is asked for. */
export function lagOf({ id }: Pick<Shown, 'id'>, { variant, store }: Pick<Looks, 'variant' | 'store'>): number {
  const { listingLagMs, lagging } = variant;
  const share = hashText(id) / 4_294_967_296;
  switch (lagging) {
    case 'alike':
      return listingLagMs;
    case 'each':
      return share < 0.4 ? 0 : share > 0.7 ? listingLagMs : Math.floor(((share - 0.4) / 0.3) * listingLagMs);
    case 'more_later':
      return listingLagMs === 0 || placeAmongTransfers(id, store) < FIRST_SHOWN ? 0 : listingLagMs;
  }
}

/** So many are listed at once where the later ones are listed late. */
const FIRST_SHOWN = 2;

function placeAmongTransfers(id: string, store: Store): number {
  return Number(store.get('SELECT count(*) AS before FROM transfer WHERE id < ?', id)?.before);
}

function described(record: Shown, { variant, store }: Looks): Shown {
  const description = record.metadata?.description;
  if (variant.descriptions === 'whole' || !description) return record;
  if (placeAmongTransfers(record.id, store) < variant.descriptionsFrom) return record;
  const changed = changedText(description, variant.descriptions);
  return { ...record, metadata: { ...record.metadata, description: changed } };
}

function changedText(text: string, how: ServiceVariant['descriptions']): string | null {
  switch (how) {
    case 'whole':
      return text;
    case 'lower':
      return text.toLowerCase();
    case 'lost':
      return '';
    case 'hidden':
      return null;
    case 'cut':
      return text.slice(0, -4);
    case 'parted':
      return `${text.slice(0, -6)} ${text.slice(-6)}`;
    case 'prefixed':
      return `PAYMENT/${text}/END`;
  }
}

/** Where the money went, as the service tells it. */
function paidTo(record: Shown, { variant }: Looks): Shown {
  const to = record.external_account_metadata;
  if (!to) return record;
  const { id, ...account } = { ...to, ...shownAccount(to, variant.accounts) };
  return { ...record, external_account_metadata: variant.hasAccountIds ? { id, ...account } : account } as Shown;
}

function shownAccount({ account_name, account_number }: Account, how: ServiceVariant['accounts']): Account {
  const name = account_name ?? '';
  const lastFour = account_number?.slice(-4) ?? '';
  switch (how) {
    case 'whole':
      return {};
    case 'cut':
      return { account_name: name.slice(0, 12), account_number: lastFour.slice(-3) };
    case 'letters':
      return { account_name: name.replaceAll('a', 'á').replaceAll('e', 'ÿ') };
    case 'reversed':
      return { account_name: name.split(' ').toReversed().join(' ') };
    case 'masked':
      return { account_number: `${lastFour}****` };
  }
}

/** A page shorter than was asked for. Where there is no cursor, the rest of the list cannot be had. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
function paged(data: any, list: 'transactions' | 'recipients', looks: Looks): any {
  const { variant, random } = looks;
  const all: Shown[] = data[list];
  // A list of recipients that is cut at any number and says nothing of it looks whole: there the runner has to believe it.
  const isCut = list === 'transactions' || variant.cursor === 'always';
  const page = all.slice(0, isCut ? (variant.pageMax ?? all.length) : all.length);
  const last = page.at(-1);
  const next_cursor = page.length < all.length && last ? cursorText(placeOf(last, list, looks)) : data.next_cursor;
  const { next_cursor: _, ...rest } = data;
  const answer = { ...rest, [list]: shuffled(page, looks) };
  if (variant.cursor === 'lies') return { ...answer, next_cursor: null };
  if (variant.cursor === 'never' || (variant.cursor === 'sometimes' && random.chance(0.3))) return answer;
  return { ...answer, next_cursor };
}

function placeOf({ id }: Shown, list: 'transactions' | 'recipients', { store }: Looks): number {
  const sql = list === 'transactions' ? TRANSFER_PLACE : RECIPIENT_PLACE;
  return Number(store.get(sql, id)?.place);
}

const TRANSFER_PLACE = 'SELECT transfer AS place FROM transfer WHERE id = ?';
const RECIPIENT_PLACE = 'SELECT recipient AS place FROM recipient WHERE id = ?';

function shuffled<T>(list: T[], { variant, random }: Looks): T[] {
  if (!variant.isShuffled) return list;
  const left = [...list];
  const mixed: T[] = [];
  while (left.length > 0) mixed.push(...left.splice(random.whole(0, left.length - 1), 1));
  return mixed;
}
