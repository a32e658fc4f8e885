import type { Sent } from '../../src/client/transport.ts';
import { answered, type Left } from '../client/fake-transport.ts';
import type { VirtualClock } from '../client/virtual-clock.ts';

/** A transfer that took effect. `sent`: minor units of EUR, where it was converted. */
export type Kept = { id: string; atMs: number; amount: string; account: string; description: string; sent?: string };

/** A transfer that was asked for: `row` by its amount, `attempt` of that row from 1, the same bytes counted again. */
export type Asked = { row: number; attempt: number; atMs: number; expiresMs: number; nonce: string };

export type Page = { shown: Kept[]; next_cursor: string | null; total: number };

export type Behaviour = {
  /** It does not look at the times that requests are signed with. */
  ignoresTimes?: boolean;
  /** What becomes of a transfer; `commit` lets it take effect and gives its id. Taken and answered unless told. */
  transfer?(asked: Asked, commit: () => string): Sent | Promise<Sent>;
  /** What a listing shows, of the transfers that match its search, newest first. Everything on one page unless told. */
  list?(found: Kept[], cursor: string | null, nowMs: number, search: string): Page;
  /** What a quote of an amount of AUD is answered with: the same in EUR unless told. */
  quote?(amount: string): Sent;
  /** How a transfer that took effect stands now: completed unless told. */
  status?(kept: Kept, nowMs: number): 'PENDING' | 'COMPLETED' | 'FAILED';
  /** What the single record is answered with, where it is not as it was kept. */
  get?(id: string): Sent | null;
};

export type VirtualService = {
  answer(request: Left): Sent | Promise<Sent>;
  kept: Kept[];
  asked: Asked[];
  /** Every request, by its operation. */
  requests: { operation: string; atMs: number }[];
  /** By the service's own clock, which nobody sets. */
  nowMs(): number;
};

export const LOST: Sent = { kind: 'lost', reason: 'reset' };

/** A service of the contract's smallest form, with a clock of its own that goes as the monotonic one. */
export function virtualService(clock: VirtualClock, behaviour: Behaviour): VirtualService {
  const offsetMs = clock.wallMs() - clock.monotonicMs();
  const kept: Kept[] = [];
  const asked: Asked[] = [];
  const requests: VirtualService['requests'] = [];
  const recordOf = (one: Kept) => ({ ...plainRecordOf(one), ...standOf(behaviour.status?.(one, nowMs())) });
  const nowMs = (): number => clock.monotonicMs() + offsetMs;
  const told = (status: number, body: unknown): Sent =>
    answered(status, body, { date: new Date(nowMs()).toUTCString() });

  const transfer = async ({ body, headers }: Left): Promise<Sent> => {
    const { currency_out, currency_in, external_accounts, metadata } = JSON.parse(body);
    const amount = (currency_in ?? currency_out).value;
    const row = Number(amount) / 100;
    const attempt = asked.filter((one) => one.row === row).length + 1;
    const { expires, nonce = '' } = headers;
    const request: Asked = { row, attempt, atMs: nowMs(), expiresMs: Number(expires) * 1_000, nonce };
    asked.push(request);
    const commit = (): string => {
      const id = `t${kept.length + 1}`;
      const { description } = metadata;
      const sent = currency_in ? { sent: currency_out.value } : {};
      kept.push({ id, atMs: nowMs(), amount, account: external_accounts.to.id, description, ...sent });
      return id;
    };
    return behaviour.transfer ? behaviour.transfer(request, commit) : told(200, { data: commit() });
  };

  const list = ({ body }: Left): Sent => {
    const { search = '', cursor = null } = JSON.parse(body) as { search?: string; cursor?: string | null };
    const found = kept.filter(({ description }) => description.includes(search)).toReversed();
    const all = (): Page => ({ shown: found, next_cursor: null, total: found.length });
    const { shown, next_cursor, total } = behaviour.list ? behaviour.list(found, cursor, nowMs(), search) : all();
    const totals = { transfers: total, fiatAmount: 0 };
    return told(200, { data: { transactions: shown.map(recordOf), totals, next_cursor } });
  };

  const answer = (request: Left): Sent | Promise<Sent> => {
    if (!behaviour.ignoresTimes && !isInTime(request, nowMs())) return told(401, OUT_OF_TIME);
    const operation = request.path.replace(/^.*\/v1\//, '');
    requests.push({ operation, atMs: nowMs() });
    if (operation === 'transaction.transfer') return transfer(request);
    if (operation === 'transaction.getMany') return list(request);
    if (operation === 'account.balance.getMany') return told(200, { data: { balances: [] } });
    if (operation === 'quote.get') {
      const { value } = JSON.parse(request.body).currency_in;
      return behaviour.quote?.(value) ?? told(200, { data: quoteOf(value) });
    }
    const { id } = JSON.parse(request.body) as { id: string };
    const other = behaviour.get?.(id) ?? null;
    if (other !== null) return other;
    const found = kept.find((one) => one.id === id);
    if (found) return told(200, { data: { ...recordOf(found), external_account_metadata: { id: found.account } } });
    return told(404, { error: { code: 'NOT_FOUND', message: 'not here' } });
  };

  return { answer, kept, asked, requests, nowMs };
}

/** As the shipped service has it: signed at most half a minute ahead, and not expired. */
function isInTime({ headers }: Left, nowMs: number): boolean {
  return Number(headers.created) * 1_000 <= nowMs + 30_000 && Number(headers.expires) * 1_000 >= nowMs;
}

const OUT_OF_TIME = { error: { code: 'UNAUTHORIZED', message: 'not of this time', reason: 'EXPIRED' } };

/** The answer to a transfer that took effect. */
export function taken(id: string): Sent {
  return answered(200, { data: id });
}

/** What an amount of AUD costs in EUR by the side that applies; on the other one it costs a tenth. */
export function quoteOf(ask: string, code = 'EUR') {
  const money = (value: string) => ({ value, code, decimals: 2 });
  return { bid: money(ask.slice(0, -1)), ask: money(ask), direction: 'ask', fees: [], stablecoin: null };
}

function plainRecordOf({ id, atMs, amount, description, sent }: Kept) {
  const value = { value: amount, code: 'AUD', decimals: 2 };
  return {
    id,
    created_at: new Date(atMs).toISOString(),
    currency_in: value,
    currency_out: sent === undefined ? value : { value: sent, code: 'EUR', decimals: 2 },
    metadata: { description },
  };
}

function standOf(status: 'PENDING' | 'COMPLETED' | 'FAILED' = 'COMPLETED') {
  return { status, failure_reason: status === 'FAILED' ? { code: 'ACCOUNT_CLOSED', message: 'closed' } : null };
}
