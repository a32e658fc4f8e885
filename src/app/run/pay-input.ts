import type { Entry, RunCreated } from '../../domain/entry.ts';
import { kindAhead } from '../../domain/kind-of-payment.ts';
import type { Money } from '../../domain/money.ts';
import type { PlannedConversions } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { assert } from '../../domain/refusal.ts';
import { applyToRun } from '../../domain/run/run.ts';
import { RunState } from '../../domain/run/run-state.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { CreateRun, Journal } from '../../journal/journal.ts';
import { packedRows } from '../../journal/packed-rows.ts';
import { rowsOf } from '../../runner/plan/plan.ts';
import type { Comparison } from '../compare/comparison.ts';
import { dayExcess } from '../limits/day-excess.ts';
import { refuseDay } from '../limits/limits.ts';
import { draftInput, type InputDraft, refuseAhead } from '../plan/draft.ts';
import { type DrawnPlan, drawPlan } from '../plan/draw-plan.ts';
import type { Gathered, Given, PlanDeps } from '../plan/given.ts';
import { notifyEntries, serviceAt } from '../plan/make-plan.ts';
import { jobHeld, keepingRun, requireJobFree } from '../runs/known-run.ts';
import type { Connection } from '../service/at-service.ts';
import type { Beginning } from './beginning.ts';
import type { RunHeld } from './execute-run.ts';
import { requireSharedService } from './left-run.ts';
import type { RunDeps } from './run-deps.ts';
import { passedOver, startSeen } from './start-seen.ts';

/** An input as a person agrees to pay it. */
export type InputProposal = {
  read: ReadResult;
  totals: readonly Money[];
  comparison: Comparison | null;
  conversions: PlannedConversions | null;
  /** What is converted and may be too little for that. */
  small: readonly Problem[];
  isRehearsal: boolean;
};

export type PayDeps = RunDeps &
  Pick<PlanDeps, 'connect'> & {
    /** Asks the person who starts it. Throws a `Refusal` where they do not agree. */
    confirm(proposal: InputProposal): Promise<void>;
    /** Files of a job that came between the one that is paid and the last one that was run. */
    onPassedOver(paths: readonly string[]): void;
  };

export type PayInput = { given: Given; gathered: Gathered };

/** Nobody stops it before it is started but by ending the process. */
const NEVER = new AbortController().signal;

/**
 * Plans and starts an input in one step, once a person has agreed to pay it. Everything that can be refused is refused before
 * anything is created at the service, in the order earlier runs, service, balance, consent. Throws a `Refusal`.
 */
export async function payInput<Result>(
  deps: PayDeps,
  input: PayInput,
  { queued, goOn }: Beginning<Result>,
): Promise<Result> {
  if (queued !== undefined) requireSharedService(input.given.profile);
  const { journal } = deps;
  const { given, gathered } = input;
  await requireJobFree(journal, given.job?.name ?? null);
  const passed = await passedOver(gathered.chosen, journal, kindAhead(given.profile));
  if (passed.length > 0) deps.onPassedOver(passed);
  const seen = await journal.startedRuns();
  await refuseAhead(journal, given, gathered);
  return deps.whileReceiving(given.profile, async (hints) => {
    const connection = await deps.connect();
    try {
      const started = await start(deps, await agree(deps, input, connection), { queued, seen });
      return await keepingRun(started.writer.runId, () => goOn({ ...started, connection, hints }));
    } finally {
      await connection.close();
    }
  });
}

/** A run that was agreed to, and the entries that start it. */
type Agreed = { draft: InputDraft; plan: DrawnPlan; entries: Entry[] };

async function agree(deps: PayDeps, input: PayInput, connection: Connection): Promise<Agreed> {
  const { job, settings } = input.given;
  const service = await serviceAt(deps, connection);
  const how = { approval: null, yields: job !== null, refusesPaid: true };
  const draft = await draftInput(deps, input, how, service);
  const plan = await drawPlan({ ...deps, stop: NEVER }, draft, service, { isPaidAtOnce: true });
  const { facts, comparison, small } = plan;
  const totals = draft.read.totals.map(({ minor, currency }): Money => ({ minor, currency }));
  const { conversions, rehearsal: isRehearsal } = facts;
  await deps.confirm({ read: draft.read, totals, comparison, conversions, small, isRehearsal });
  const entries: Entry[] = [
    ...draft.entries,
    { kind: 'planned', plan: facts },
    ...notifyEntries(draft.notify),
    { kind: 'started', ...deps.actor },
    // A person who lets a file be paid again knows that payments like its rows are at the service.
    ...(settings.allowRepeat === undefined ? [] : [{ kind: 'accounted' as const }]),
  ];
  return { draft, plan, entries };
}

/** Ends before the run is executed, so that the comparison with earlier runs is not kept beside it. */
async function start(
  deps: PayDeps,
  { draft, plan, entries }: Agreed,
  { seen, queued }: Pick<CreateRun, 'queued'> & { seen: number },
): Promise<Pick<RunHeld, 'run' | 'writer'>> {
  const { journal } = deps;
  const { header } = plan;
  const { refusesRepeat: refuseRepeat, limits } = draft;
  const create = (now: number) =>
    journal.createRun({ header, rows: entries, refuseRepeat, seen: now, ...(queued && { queued }) });
  const lookAgain = async () => {
    await draft.refuseSince();
    const { conversions } = plan.facts;
    refuseDay(await dayExcess({ limits, header, rows: rowsOf(draft.entries), conversions }, deps));
    await draft.compare?.(new Map());
  };
  return keepingRun(header.run_id, async () => {
    const created = await startSeen(journal, seen, create, lookAgain);
    if (created.outcome === 'repeats') throw await draft.repeated(created.runId);
    if (created.outcome === 'job_held') throw jobHeld(header.job ?? '', created);
    return { run: await foldNew(journal, header, entries), writer: created.writer };
  });
}

/** The fold of a run that was written just now: what was written is at hand, and only its time is read back. */
async function foldNew(journal: Journal, header: RunCreated, entries: readonly Entry[]): Promise<RunState> {
  const written = (await journal.runsOfInput(header.input.sha256)).find(({ run_id }) => run_id === header.run_id);
  assert(written, 'a new run is in the journal');
  const run = new RunState(packedRows());
  for (const entry of [header, ...entries]) applyToRun(run, entry, written.created_at);
  return run;
}
