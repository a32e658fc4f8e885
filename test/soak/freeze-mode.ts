import { setTimeout as sleep } from 'node:timers/promises';
import type { Started } from '../support/payrun-process.ts';
import { entriesOf } from './agreement.ts';
import { planMoments, untilMoment } from './moments.ts';
import { endText, type SoakPayroll } from './payroll.ts';

export type Freeze = {
  /**
   * `taken_over`: a second process went on when the lease had run out. `within_commit`: the frozen one held the journal's
   * lock, so nobody could. `ended`: it had ended before it could be frozen, or had given its lease back.
   */
  outcome: 'taken_over' | 'within_commit' | 'ended';
  phase: string;
  problems: string[];
};

/** A lease lasts 30 s from when it was put off last. */
export const LEASE_MAX_MS = 30_000;
/** How long it waits to ask again where it is refused even then. */
const ASK_EVERY_MS = 4_000;
/** Each waits 5 s for the lock. */
const LOCKED_TIMES = 2;
const HELD = 7;

/**
 * Stops the runner with SIGSTOP, lets a second process take the run over when the lease has run out, and lets the first
 * one go on: while the second works, or when it is done. `goOn` chooses; it may write nothing and send nothing.
 */
export async function freezeOnce(payroll: SoakPayroll, goOn: 'beside' | 'after'): Promise<Freeze> {
  const freeze: Freeze = { outcome: 'ended', phase: '', problems: [] };
  const { service, random } = payroll;
  const first = await payroll.go();
  const moments = planMoments(random, 8, payroll.rows).filter(({ phase }) =>
    /payees|payout|submit|waiting/.test(phase),
  );
  const moment = moments[Math.floor(random() * moments.length)];
  if (moment === undefined || (await untilMoment(moment, first, service)) === 'ended') return freeze;
  first.child.kill('SIGSTOP');
  freeze.phase = moment.phase;
  const frozenAtMs = performance.now();
  const runId = /run (R\d{8}-\w+): /.exec(first.stderr())?.[1];
  if (runId === undefined) throw new Error(`no run id in ${first.stderr()}`);
  payroll.runId = runId;
  const second = await takeOver(payroll, frozenAtMs, freeze);
  if (second === null) await thaw(first, freeze, [0]);
  else await bothGoOn(payroll, first, second, freeze, goOn);
  return freeze;
}

/**
 * `resume` until it is not refused any more: once while the lease stands, and again when it has run out. A process that
 * asks costs more than the waiting. Null where nobody can take the run over.
 */
async function takeOver(payroll: SoakPayroll, frozenAtMs: number, freeze: Freeze): Promise<Started | null> {
  let refusals = 0;
  let locked = 0;
  for (;;) {
    const second = await payroll.go();
    const isOpened = await second.wrote(/: [\d,]+ payouts? from/).then(
      () => true,
      () => false,
    );
    const frozenMs = performance.now() - frozenAtMs;
    if (isOpened) {
      freeze.outcome = refusals === 0 ? 'ended' : 'taken_over';
      return second;
    }
    const ended = await second.ended;
    if (ended.exit !== HELD) freeze.problems.push(`a second process while the first is frozen: ${endText(ended)}`);
    refusals++;
    if (ended.stderr.includes('locked')) locked++;
    if (locked >= LOCKED_TIMES) freeze.outcome = 'within_commit';
    if (locked >= LOCKED_TIMES || ended.exit !== HELD) return null;
    if (frozenMs > 2 * LEASE_MAX_MS) {
      freeze.problems.push(`nobody can take the run over after ${Math.round(frozenMs / 1_000)} s: ${endText(ended)}`);
      return null;
    }
    await sleep(Math.max(LEASE_MAX_MS - frozenMs, ASK_EVERY_MS));
  }
}

async function bothGoOn(
  payroll: SoakPayroll,
  first: Started,
  second: Started,
  freeze: Freeze,
  goOn: 'beside' | 'after',
): Promise<void> {
  const exits = freeze.outcome === 'ended' ? [0] : DEPOSED;
  if (goOn === 'beside') {
    await sleep(payroll.random() * 2_000);
    await thaw(first, freeze, exits);
  }
  let ended = await second.ended;
  if (await payroll.acceptLostFirst(ended)) ended = await (await payroll.go()).ended;
  if (ended.exit !== 0) freeze.problems.push(`the second process: ${endText(ended)}`);
  if (goOn === 'after') {
    const before = await standing(payroll);
    await thaw(first, freeze, exits);
    const after = await standing(payroll);
    if (after !== before) freeze.problems.push(`the deposed process was active: ${before} became ${after}`);
  }
  const late = await entriesAfterTakeover(payroll);
  if (late > 0) freeze.problems.push(`${late} entries of the deposed process are behind the takeover`);
}

/** What a deposed process ends with: another one holds the run. */
const DEPOSED = [HELD];

async function thaw(first: Started, freeze: Freeze, exits: readonly number[]): Promise<void> {
  first.child.kill('SIGCONT');
  const ended = await first.ended;
  if (!exits.includes(ended.exit ?? -1)) freeze.problems.push(`the frozen process: ${endText(ended)}`);
}

/** What has changed where the deposed process wrote or sent anything. */
async function standing(payroll: SoakPayroll): Promise<string> {
  const entries = await entriesOf(payroll.dataDir, payroll.runId ?? '');
  return `${entries.length} entries, ${await payroll.service.arrived('changes')} requests that change something`;
}

async function entriesAfterTakeover(payroll: SoakPayroll): Promise<number> {
  let epoch = 0;
  let late = 0;
  for (const placed of await entriesOf(payroll.dataDir, payroll.runId ?? '')) {
    if (placed.epoch < epoch) late++;
    epoch = Math.max(epoch, placed.epoch);
  }
  return late;
}
