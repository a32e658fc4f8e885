import type { Client } from '../client/client.ts';
import type { Entry } from '../domain/entry.ts';
import { assert } from '../domain/refusal.ts';
import { claimOf } from '../domain/run/claims.ts';
import type { PayoutState } from '../domain/run/payout.ts';
import { applyToRun } from '../domain/run/run.ts';
import { requireApplicable } from '../domain/run/run-row.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { tallyOf } from '../domain/run/tally.ts';
import { KnownHolds } from '../journal/holds.ts';
import type { Journal, RunWriter } from '../journal/journal.ts';
import type { Clock, Randomness } from '../platform/clock.ts';
import { type Log, logWith } from '../platform/log.ts';
import { Breaker } from './breaker.ts';
import { Ceilings } from './ceilings.ts';
import { HintedPayouts, type HintSource } from './hinted.ts';
import { logState, payoutFields } from './payout-log.ts';
import { noteEvidence, SentTokens } from './reconcile/evidence.ts';
import type { RunContext } from './run-context.ts';

export type ContextOptions = {
  run: RunState;
  writer: RunWriter;
  journal: Journal;
  client: Client;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  stop: AbortSignal;
  /** False by default. */
  resubmitAbsent?: boolean;
  /** Where webhooks are received: they show when reading is worth while. None by default. */
  hints?: HintSource | null;
};

/** Binds a folded run to its writer, so that the state in memory is at every moment the fold of what is on disk. */
export function openContext(options: ContextOptions): RunContext {
  const { run, writer, hints = null, resubmitAbsent = false, ...given } = options;
  assert(run.header, 'a run without its header');
  const stop = controllerAfter(given.stop);
  const noMore = controllerAfter(stop.signal);
  if (run.cancelled) noMore.abort();
  const tally = tallyOf(run);
  const owners = ownersOf(run);
  const tokens = new SentTokens(run);
  const twice = new Set<number>();
  for (const [row, state] of run.payouts) if (isTwice(state)) twice.add(row);
  const payout = (row: number): PayoutState => {
    const state = run.payouts.get(row);
    assert(state, `row ${row} is not in the run`);
    return state;
  };
  const log = logWith(given.log, { run: writer.runId });
  const fieldsOf = (row: number) => payoutFields(row, payout(row), given.clock.wallMs());
  const breaker = new Breaker(run, tally, () => noMore.abort());
  const { accepted, sending, in_doubt, unresolved, suspected } = tally;
  const isResumed = accepted + sending + in_doubt + unresolved + suspected > 0;
  const context: RunContext = {
    ...given,
    log,
    stop: stop.signal,
    noMore: noMore.signal,
    run,
    profile: run.header.profile,
    tally,
    resubmitAbsent,
    mayHaveCompany: writer.mayHaveCompany,
    owners,
    misfits: new Map(),
    ceilings: new Ceilings(run),
    payeeHolds: new KnownHolds(given.journal),
    twice,
    breaker,
    hinted: hints === null ? null : new HintedPayouts(hints, isResumed),
    awaiting: { current: null },
    payout,
    logOf: (row) => logWith(log, fieldsOf(row)),
    holds: () => writer.holds(),
    renew: () => writer.renew(),
    async record(...entries) {
      requireApplicable(run, entries);
      const at = await writer.append(entries);
      for (const entry of entries) {
        const row = 'row' in entry ? entry.row : null;
        const before = row === null ? undefined : run.payouts.get(row)?.state;
        applyToRun(run, entry, at);
        if (entry.kind === 'cancelled') noMore.abort();
        if (entry.kind === 'paused') stop.abort();
        own(owners, entry);
        if (entry.kind === 'intent') tokens.add(entry);
        if (row === null || before === undefined) continue;
        tally[before]--;
        const after = payout(row);
        tally[after.state]++;
        twice[isTwice(after) ? 'add' : 'delete'](row);
        breaker.recorded(row, after.state);
        if (after.state !== before) logState(log, () => fieldsOf(row), after);
      }
    },
    noteEvidence: (page) => noteEvidence(context, tokens, page),
  };
  return context;
}

function ownersOf({ payouts, surfaced }: RunState): Map<string, number> {
  const owners = new Map<string, number>();
  for (const [row, state] of payouts) if ('sent' in state) owners.set(state.sent.transaction_id, row);
  for (const { row, transaction_id } of surfaced) owners.set(transaction_id, row);
  return owners;
}

/** Which row a transaction is, by an entry. */
function own(owners: Map<string, number>, entry: Entry): void {
  const claim = claimOf(entry);
  if (claim !== null && claim.transactionId !== null) owners.set(claim.transactionId, claim.row);
  if (entry.kind === 'unknown_transaction') owners.delete(entry.transaction_id);
}

/** What listens holds only the controller: the signal outlives a plan's look at a hundred thousand rows. */
function controllerAfter(stop: AbortSignal): AbortController {
  const controller = new AbortController();
  if (stop.aborted) controller.abort();
  stop.addEventListener('abort', () => controller.abort(), { once: true });
  return controller;
}

function isTwice(payout: PayoutState): boolean {
  return payout.state === 'unresolved' && payout.about === 'twice';
}

/** Entries of one commit. */
const CHUNK_ENTRIES = 1_024;

/** Records many entries of which each is true without the others, in several commits. */
export async function recordInChunks(context: RunContext, entries: readonly Entry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += CHUNK_ENTRIES) {
    await context.record(...entries.slice(at, at + CHUNK_ENTRIES));
  }
}
