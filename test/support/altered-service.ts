import { join } from 'node:path';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { TransactionRecord, transactionDetail } from '../../src/contract/shapes.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { answer } from './hostile-server.ts';
import { entriesOf } from './journal-image.ts';
import { type Ended, payrun, type ReadyService, type Started, start, startService, temporaryFolder } from './payrun.ts';
import { plainPayroll } from './plain-payroll.ts';
import { allTransactions } from './service-admin.ts';
import { type Exchange, type Fate, pass, type TcpProxy, tcpProxy } from './tcp-proxy.ts';

type TransactionDetail = z.infer<typeof transactionDetail>;

/** One copy of a transfer as it left the runner. Attempts at a payout count from 1, and so do the copies of each. */
export type Leaving = { payout: number; attempt: number; copy: number; exchange: Exchange };

/** How the service looks to the run. Everything can be changed while the run lasts. */
export type View = {
  /** What becomes of a request of whatever kind, before anything else is asked; null for nothing special. */
  meets(exchange: Exchange): Fate | null;
  /** What becomes of a copy of a transfer. */
  fate(leaving: Leaving): Fate;
  /** For how long after its creation a listing leaves out the payout's records. */
  lagMs(payout: number): number;
  /** The records that listings leave out, whatever their age. */
  hides(record: TransactionRecord): boolean;
  /** The single record as `transaction.get` shows it; null where it says that there is none. */
  shows(record: TransactionDetail): TransactionDetail | null;
  /** Hears of every record that the run is shown. */
  seen(record: TransactionRecord): void;
};

export type AlteredService = {
  folder: string;
  service: ReadyService;
  proxy: TcpProxy;
  view: View;
  leavings: Leaving[];
  /** Answers a request as if nothing special had met it. */
  answer(exchange: Exchange): Promise<void>;
  run(words?: string[]): Promise<Ended>;
  /** Starts the run in a process of its own, for being killed or stopped. */
  start(): Started;
  /** Another command about the only run: its words before the run's id, and after it. */
  command(before: string, ...after: string[]): Promise<Ended>;
  resume(...words: string[]): Promise<Ended>;
  /** The report's rows as `show --json` has them, by payout. */
  shown(): Promise<Map<number, ShownRow>>;
  entries(): Promise<Entry[]>;
};

export type ShownRow = { state: string; status: string; transaction_id: string | null; message: string | null };

/**
 * The shipped service, its books as they are, and before it a proxy that changes what a run sees of them. The run pays
 * AUD 1.00 to the payee of its first payout, 2.00 to the second and so on, so that amounts tell payouts apart.
 */
export async function alteredService(
  options: { rows?: number; lifetime?: string; profile?: string; hasFirst?: boolean; settleAfter?: string } = {},
): Promise<AlteredService> {
  const { rows = 5, lifetime = '6s', profile = '', hasFirst = true, settleAfter = '0ms' } = options;
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service'), args: ['--settle-after', settleAfter] });
  const proxy = await tcpProxy(service.base_url);
  const view: View = {
    meets: () => null,
    fate: () => passed,
    lagMs: () => 0,
    hides: () => false,
    shows: (record) => record,
    seen: () => {},
  };
  const leavings: Leaving[] = [];
  const passed: Fate = hasFirst ? pass : answeredWith(withoutFirst);
  const usual = (exchange: Exchange): Fate => {
    switch (exchange.operation) {
      case 'transaction.transfer':
        return view.fate(leavingOf(exchange, leavings));
      case 'transaction.getMany':
        return answeredWith((body: Page) => listed(view, body));
      case 'transaction.get':
        return (one) => showRecord(view, one);
      default:
        return pass;
    }
  };
  proxy.decide((exchange) => view.meets(exchange) ?? usual(exchange));
  const text = `request_lifetime: ${lifetime}\n${profile}`;
  const { command, resume } = plainPayroll({ folder, service, proxy, rows, profile: text });
  const begin = [...command, '--wait-timeout', '25s'];
  const data = join(folder, 'data');
  let id = '';
  const about = async (before: string, ...after: string[]): Promise<Ended> => {
    id ||= await runIn(data);
    const where = before === 'resume' ? resume : ['--data-dir', data, '--json'];
    return payrun([before, id, ...after, ...where]);
  };
  return {
    folder,
    service,
    proxy,
    view,
    leavings,
    answer: (exchange) => usual(exchange)(exchange),
    run: (words = []) => payrun([...begin, ...words]),
    start: () => start(begin),
    command: about,
    resume: (...words) => about('resume', ...words),
    async shown() {
      const { payouts } = JSON.parse((await about('show')).stdout);
      return new Map((payouts as (ShownRow & { row: number })[]).map((row) => [row.row - 1, row]));
    },
    entries: () => entriesOf(data),
  };
}

async function runIn(data: string): Promise<string> {
  const created = (await entriesOf(data)).find(({ kind }) => kind === 'run_created');
  if (created?.kind !== 'run_created') throw new Error('no run was created');
  return created.run_id;
}

function leavingOf(exchange: Exchange, leavings: Leaving[]): Leaving {
  const payout = Number(/"value":"(\d+)00"/.exec(exchange.body)?.[1]);
  const before = leavings.filter((other) => other.payout === payout);
  const same = before.filter((other) => other.exchange.intent === exchange.intent);
  const attempt = same[0]?.attempt ?? new Set(before.map((other) => other.attempt)).size + 1;
  const leaving = { payout, attempt, copy: same.length + 1, exchange };
  leavings.push(leaving);
  return leaving;
}

/** Which payout a record of the service is of. */
export function payoutOf({ currency_out }: Pick<TransactionRecord, 'currency_out'>): number {
  return Number(currency_out.value) / 100;
}

type Page = { data?: { transactions: TransactionRecord[]; totals: { transfers: number } } };

/** A listing that leaves records out, and says so in its totals. */
function listed({ lagMs, hides, seen }: View, { data, ...rest }: Page): object {
  if (data === undefined) return rest;
  const nowMs = machineClock.wallMs();
  const isListed = (record: TransactionRecord): boolean =>
    !hides(record) && nowMs >= Date.parse(record.created_at) + lagMs(payoutOf(record));
  const transactions = data.transactions.filter(isListed);
  for (const record of transactions) seen(record);
  const left = data.transactions.filter((record) => record.status !== 'FAILED' && !isListed(record)).length;
  const totals = { ...data.totals, transfers: data.totals.transfers - left };
  return { data: { ...data, transactions, totals } };
}

async function showRecord({ shows, seen }: View, { deliver, socket }: Exchange): Promise<void> {
  const bytes = await deliver();
  const { data } = bodyOf(bytes) as { data?: TransactionDetail };
  const shown = data === undefined ? null : shows(data);
  if (shown !== null) seen(shown);
  if (data !== undefined && shown !== null) socket.write(withBody(bytes, { data: shown }));
  else socket.write(data === undefined ? bytes : answer(404, '{"error":{"code":"NOT_FOUND","message":"no such id"}}'));
}

/** The service's own answer with another body. */
export function answeredWith<Body>(change: (body: Body) => object): Fate {
  return async ({ deliver, socket }) => {
    const bytes = await deliver();
    socket.write(withBody(bytes, change(bodyOf(bytes) as Body)));
  };
}

/** As of a service that does not say what became of the first copy. */
export function withoutFirst({ error, ...rest }: { error?: { first?: unknown } }): object {
  if (error === undefined) return rest;
  const { first: _, ...kept } = error;
  return { ...rest, error: kept };
}

function bodyOf(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8', bytes.indexOf('\r\n\r\n') + 4));
}

function withBody(bytes: Buffer, body: object): Buffer {
  const text = JSON.stringify(body);
  const head = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n'));
  const length = `content-length: ${Buffer.byteLength(text)}`;
  return Buffer.from(`${head.replace(/content-length: \d+/i, length)}\r\n\r\n${text}`);
}

/** The request takes effect, and its answer is lost. */
export const answerLost: Fate = async ({ deliver, socket }) => {
  await deliver();
  socket.resetAndDestroy();
};

/** Not the service's answer, and the request does not arrive. */
export function answeredInstead(text: string): Fate {
  return async ({ socket }) => void socket.write(text);
}

/** What the service's own books hold for each payout. */
export async function books(service: ReadyService): Promise<Map<number, string[]>> {
  const paid = new Map<number, string[]>();
  for (const record of await allTransactions(service)) {
    paid.set(payoutOf(record), [...(paid.get(payoutOf(record)) ?? []), record.id]);
  }
  return paid;
}

/** The service's books hold one transaction for each of these payouts, and no other. */
export async function expectPaidOnce(service: ReadyService, payouts: number[]): Promise<void> {
  const paid = [...(await books(service))].map(([payout, ids]) => [payout, ids.length]);
  expect(paid.toSorted(([one = 0], [other = 0]) => one - other)).toEqual(payouts.map((payout) => [payout, 1]));
}
