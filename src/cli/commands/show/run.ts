import { knownOf } from '../../../app/show/known-plan.ts';
import { withdrawalsOf } from '../../../compose/withdrawals.ts';
import { assert } from '../../../domain/refusal.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { isoUtc } from '../../../domain/time.ts';
import type { Journal } from '../../../journal/journal.ts';
import { stoppedText } from '../../../messages/stop-words.ts';
import { machineClock } from '../../../platform/machine.ts';
import { type CommandLine, plainCommand } from '../../../report/command-line.ts';
import { doubtJson } from '../../../report/doubts/choice-text.ts';
import { doubtsOf } from '../../../report/doubts/doubts.ts';
import { countsOf } from '../../../report/model/outcome.ts';
import { totalsOf } from '../../../report/model/totals.ts';
import { retriedBy } from '../../../runner/retries.ts';
import { readSince } from '../../../runner/since.ts';
import { EXIT } from '../../exit.ts';
import { approvalsJson, nextOfPlan } from '../../plans/approvals.ts';
import { phaseNow, readKnownRun, standingNow } from '../../runs/known-run.ts';
import { parkedPayees } from '../../runs/parked-payees.ts';
import { remittanceJson } from '../../runs/remittance-text.ts';
import type { ShownPayout, ShownPlan, ShowOutput } from './json.ts';
import { shownPlanJson, shownPlanText } from './show-plan.ts';
import { type ShownRun, showText } from './show-text.ts';
import { shownPayouts } from './shown-payouts.ts';

type Io = { stdout(text: string): void; stderr(text: string): void };

/** Payouts that are made into text at once, so that the JSON of a hundred thousand is never one string. */
const PAYOUTS_AT_ONCE = 1_000;

/** `dataDir` is where the journal is; without `payouts` the JSON has none of them. */
type Options = { json: boolean; dataDir: string; payouts?: boolean; colour?: boolean; command?: CommandLine };

/**
 * `payrun show RUN`: the state of each payout, problems last, and the doubts among them explained; of a plan that waits, what
 * it is. Account numbers are masked. Returns the exit code, which says that it could be shown, not how the run went. Throws a
 * Refusal for an unknown run or a damaged journal.
 */
export async function showCommand(
  journal: Journal,
  io: Io,
  runId: string,
  { json, dataDir, payouts = true, colour = false, command = plainCommand }: Options,
): Promise<number> {
  const run = await readKnownRun(journal, runId);
  const shown = await shownOf(journal, run, dataDir);
  const plan = shown.phase === 'planned' ? await knownOf(run, { journal, clock: machineClock }) : null;
  if (json)
    printJson(io, shownJson(shown, plan && shownPlanJson(plan), command), payouts ? shownPayouts(run, command) : null);
  else
    showText(
      { ...shown, since: await readSince(journal, run), ofPlan: plan === null ? '' : shownPlanText(plan, colour) },
      io,
      command,
    );
  return EXIT.ok;
}

/** Everything of a run but its payouts. */
function shownJson(
  { run, standing, retried, withdrawals }: Omit<ShownRun, 'phase' | 'since' | 'ofPlan'>,
  plan: ShownPlan | null,
  command: CommandLine,
): Omit<ShowOutput, 'payouts' | 'exit'> {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const { name, path, sha256, bytes } = header.input;
  return {
    run_id: header.run_id,
    state: standing,
    stopped: run.stopped,
    stop_message: stoppedText(run, 'command_line'),
    rehearsal: header.rehearsal,
    input: { name, path, sha256, bytes },
    job: header.job,
    period: header.period,
    retries: header.retries,
    retried_by: retried,
    digest: header.digest,
    ...approvalsJson(run, withdrawals),
    plan,
    next: plan === null ? null : nextOfPlan(run, command),
    created_at: isoUtc(run.createdAt),
    finished_at: run.finishedAt === null ? null : isoUtc(run.finishedAt),
    counts: countsOf(run),
    totals: totalsOf(run),
    cancelled: run.cancelled,
    replaced_by: run.replacedBy,
    ...remittanceJson(run),
    doubts: Array.from(doubtsOf(run), (doubt) => doubtJson(doubt, command)),
    parked_payees: parkedPayees(run, command),
  };
}

/** A run as a program reads it, with all payouts. Throws as `showCommand` does. */
export async function readShownRun(
  journal: Journal,
  runId: string,
  { dataDir, command }: { dataDir: string; command: CommandLine },
): Promise<Omit<ShowOutput, 'exit'>> {
  const run = await readKnownRun(journal, runId);
  const { phase, ...shown } = await shownOf(journal, run, dataDir);
  const plan = phase === 'planned' ? await knownOf(run, { journal, clock: machineClock }) : null;
  return { ...shownJson(shown, plan && shownPlanJson(plan), command), payouts: [...shownPayouts(run, command)] };
}

async function shownOf(journal: Journal, run: RunState, dataDir: string) {
  const runId = run.header?.run_id ?? '';
  return {
    run,
    phase: await phaseNow(journal, run, runId),
    standing: await standingNow(journal, run, runId),
    retried: await retriedBy(journal, runId),
    withdrawals: withdrawalsOf(run, dataDir),
  };
}

function printJson(io: Io, shown: Omit<ShowOutput, 'payouts' | 'exit'>, payouts: Iterable<ShownPayout> | null): void {
  const start = JSON.stringify(shown);
  if (payouts === null) {
    io.stdout(`${start.slice(0, -1)},"exit":${EXIT.ok}}\n`);
    return;
  }
  let pending = `${start.slice(0, -1)},"payouts":[`;
  let count = 0;
  for (const payout of payouts) {
    pending += (count === 0 ? '' : ',') + JSON.stringify(payout);
    count++;
    if (count % PAYOUTS_AT_ONCE !== 0) continue;
    io.stdout(pending);
    pending = '';
  }
  io.stdout(`${pending}],"exit":${EXIT.ok}}\n`);
}
