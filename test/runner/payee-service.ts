import type { Sent } from '../../src/client/transport.ts';
import { compact, fingerprint } from '../../src/domain/rails/fields/digits.ts';
import { NO_FIELDS } from '../../src/domain/rails/rail.ts';
import { answered, type FakeTransport, fakeTransport, type Left } from '../client/fake-transport.ts';
import type { VirtualClock } from '../client/virtual-clock.ts';

/** What becomes of one request that creates something. */
export type Fate =
  | 'ok'
  /** It takes effect, and the answer is lost. */
  | 'lost'
  /** It takes no effect, and there is no answer. */
  | 'dropped'
  /** The network delivers it twice: the first copy takes effect, and the answer is what the second one meets. */
  | 'twice: 429'
  | 'twice: 401'
  | 'twice: 400'
  | '429'
  | '400'
  /** It takes effect, and the answer names this id. */
  | { id: string }
  /** It takes effect at once, and is answered so much later. */
  | { slowMs: number }
  /** There is no answer, and it takes effect so much later, where its deadline allows. */
  | { lateMs: number }
  /** It is answered 429 by something on the way, and takes effect so much later, where its deadline allows. */
  | { after429Ms: number };

export type Promised = {
  hasFingerprints: boolean;
  hasDate: boolean;
  hasCreatedAt: boolean;
  /** How a list ends: `cursor` says that there is no more, `silent` says nothing. */
  pages: 'cursor' | 'silent';
  pageMax: number;
  /** Each page but the first begins with the last record of the one before. */
  pagesOverlap: boolean;
  listingLagMs: number;
  enforcesExpiry: boolean;
  refusesReplays: boolean;
  /** How far its clock is ahead of ours. */
  aheadMs: number;
};

export const WELL_BEHAVED: Promised = {
  hasFingerprints: true,
  hasDate: true,
  hasCreatedAt: true,
  pages: 'cursor',
  pageMax: 500,
  pagesOverlap: false,
  listingLagMs: 0,
  enforcesExpiry: true,
  refusesReplays: true,
  aheadMs: 0,
};

type Body = { [key: string]: string } & { metadata: { name: string; email?: string } };
type RecipientMade = { id: string; madeMs: number; metadata: Body['metadata'] };
type AccountMade = { id: string; madeMs: number; body: Body };

export type PayeeService = {
  transport: FakeTransport;
  recipients: RecipientMade[];
  accounts: AccountMade[];
  /** How often each operation was asked for. */
  asked(operation: string): number;
  /** Puts an account there that none of our requests made. */
  putAccount(recipientId: string, accountNumber: string, accountName: string): string;
  putRecipient(metadata: Body['metadata'], agoMs?: number): string;
};

/** Recipients and accounts of a service that does what it is told, in virtual time. `fate` is asked of each creation. */
export function payeeService(
  clock: VirtualClock,
  promised: Promised,
  fate: (operation: string, nth: number, body: Body) => Fate = () => 'ok',
): PayeeService {
  const recipients: RecipientMade[] = [];
  const accounts: AccountMade[] = [];
  let recipientsMade = 0;
  let accountsMade = 0;
  const counts = new Map<string, number>();
  const nonces = new Set<string>();
  const nowMs = () => clock.wallMs() + promised.aheadMs;
  const answer = (status: number, body: object): Sent =>
    answered(status, body, promised.hasDate ? { date: new Date(nowMs()).toUTCString() } : {});
  const error = (status: number, code: string) => answer(status, { error: { code, message: `no: ${code}` } });

  const add = (operation: string, body: Body): string => {
    const madeMs = nowMs();
    if (operation === 'account.recipient.create') {
      const id = `rec${++recipientsMade}`;
      recipients.push({ id, madeMs, metadata: body.metadata });
      return id;
    }
    const id = `acc${++accountsMade}`;
    accounts.push({ id, madeMs, body });
    return id;
  };
  const take = (operation: string, body: Body, { headers }: Left): { id: string } | Sent => {
    if (promised.enforcesExpiry && nowMs() > Number(headers.expires) * 1_000) return error(401, 'EXPIRED');
    if (promised.refusesReplays && nonces.has(headers.nonce ?? '')) {
      return answer(401, { error: { code: 'UNAUTHORIZED', message: 'no', reason: 'REPLAYED' } });
    }
    nonces.add(headers.nonce ?? '');
    return { id: add(operation, body) };
  };
  const change = (operation: string, body: Body, request: Left): Sent | Promise<Sent> => {
    const nth = counts.get(operation) ?? 0;
    const what = fate(operation, nth, body);
    if (what === 'dropped') return LOST;
    if (what === '429') return error(429, 'TOO_MANY_REQUESTS');
    if (what === '400') return error(400, 'BAD_REQUEST');
    if (typeof what === 'object' && 'lateMs' in what) {
      void clock.sleep(what.lateMs).then(() => void take(operation, body, request));
      return LOST;
    }
    if (typeof what === 'object' && 'after429Ms' in what) {
      void clock.sleep(what.after429Ms).then(() => void take(operation, body, request));
      return error(429, 'TOO_MANY_REQUESTS');
    }
    const made = take(operation, body, request);
    if ('kind' in made) return made;
    if (what === 'lost') return LOST;
    if (what === 'ok') return answer(200, { data: made });
    if (typeof what === 'object' && 'slowMs' in what) {
      return clock.sleep(what.slowMs).then(() => answer(200, { data: made }));
    }
    if (typeof what === 'object') return answer(200, { data: what });
    return error(Number(what.slice(-3)), what.endsWith('401') ? 'UNAUTHORIZED' : 'BAD_REQUEST');
  };
  const listed = <T extends { madeMs: number }>(records: T[]) =>
    records.filter(({ madeMs }) => madeMs + promised.listingLagMs <= nowMs()).reverse();
  const dated = ({ id, madeMs }: { id: string; madeMs: number }) => ({
    id,
    ...(promised.hasCreatedAt && { created_at: new Date(madeMs).toISOString() }),
  });
  const read = (operation: string, body: Body): Sent => {
    if (operation === 'account.recipient.getMany') {
      const all = listed(recipients).map((record) => ({ ...dated(record), metadata: record.metadata }));
      const from = Number(body.cursor ?? 0);
      const to = from + Math.min(Number(body.limit), promised.pageMax);
      const page = all.slice(Math.max(from - (promised.pagesOverlap ? 1 : 0), 0), to);
      const next = promised.pages === 'cursor' && { next_cursor: to < all.length ? String(to) : null };
      return answer(200, { data: { recipients: page, ...next } });
    }
    const isOf = ({ body: made }: AccountMade) => made.recipient_id === body.recipient_id;
    return answer(200, { data: listed(accounts).filter(isOf).map(shownAccount) });
  };
  const shownAccount = (made: AccountMade) => ({
    ...dated(made),
    type: made.body.type,
    account_name: made.body.account_name,
    account_number: `••••${compact(made.body.account_number ?? '').slice(-4)}`,
    national_clearing_code: made.body.national_clearing_code,
    ...(promised.hasFingerprints && { fingerprint: fingerprint('AUD_NPP', { ...NO_FIELDS, ...made.body }) }),
  });
  return {
    recipients,
    accounts,
    asked: (operation) => counts.get(operation) ?? 0,
    putAccount(recipient_id, account_number, account_name) {
      const fields = { type: 'AUD_NPP', national_clearing_code: '062000' };
      return add('account.external.bank.add', {
        recipient_id,
        account_number,
        account_name,
        ...fields,
      } as unknown as Body);
    },
    putRecipient(metadata, agoMs = 0) {
      const id = add('account.recipient.create', { metadata } as Body);
      const made = recipients.at(-1);
      if (made) made.madeMs -= agoMs;
      return id;
    },
    transport: fakeTransport(clock, (request) => {
      const operation = request.path.replace(/^.*\/v1\//, '');
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      const body = JSON.parse(request.body) as Body;
      return /create$|add$/.test(operation) ? change(operation, body, request) : read(operation, body);
    }),
  };
}

const LOST: Sent = { kind: 'lost', reason: 'ECONNRESET' };
