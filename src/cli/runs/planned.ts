import { executedHere, leftToWorkers } from '../../app/run/beginning.ts';
import { takeBack } from '../../app/run/left-run.ts';
import { type PlanProposal, type StartDeps, startPlan } from '../../app/run/start-plan.ts';
import { isLeftToWorkers } from '../../app/runs/known-run.ts';
import { untilInterrupt } from '../../compose/machine/interrupt.ts';
import { startDeps } from '../../compose/run-deps.ts';
import { noteOf } from '../../compose/webhooks.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import { printable, rowsText } from '../../messages/text.ts';
import type { Given } from '../command.ts';
import { type LoggedHere, withLoggedJournal } from '../here.ts';
import { plannedNotes } from '../plans/conversion-text.ts';
import { askToPay } from '../questions/consent.ts';
import { runDepsHere } from './execution.ts';
import { followHere } from './following.ts';
import { leaveHere } from './leaving.ts';

/** `payrun run RUN`: does exactly what was planned, or refuses. */
export async function runPlanned(given: Given): Promise<void> {
  await withLoggedJournal(given, async (here) => {
    const { onlyValid, allowRepeat, detach } = here.settings;
    const runId = String(given.input);
    const start = { runId, onlyValid, allowRepeat };
    const deps = startDepsHere(here);
    if (detach)
      return leaveHere(here, (also) => startPlan({ ...deps, ...also }, start, leftToWorkers({ ...deps, ...also })));
    if (await isLeftToWorkers(here.journal, runId)) return followHere(here, runId);
    await takeBack(here.journal, runId);
    const { ending } = await startPlan(deps, start, executedHere(deps));
    return ENDING_EXIT[ending];
  });
}

/** What a plan is started with at a command line. */
function startDepsHere(here: LoggedHere): StartDeps {
  const { io, settings } = here;
  return {
    ...startDeps(runDepsHere(here), settings),
    confirm: (proposal) => askToPay(io, settings, { ...proposal, first: '', notes: notesOf(proposal) }),
    whileLooking: (work) => untilInterrupt(() => io.stderr('Stopping: nothing was sent.\n'), work),
    onFileGone({ header, plan }) {
      const what = plan?.approval ? 'approved' : 'planned';
      const name = printable(header?.input.name ?? '');
      noteOf(io, settings)(`${name} is not there any more; what was ${what} is paid from the journal.`);
    },
  };
}

function notesOf({ unapproved, conversions }: PlanProposal): string[] {
  const without = `without ${unapproved.length === 1 ? 'row' : 'rows'} ${rowsText(unapproved)}, not approved by enough`;
  return [...(unapproved.length === 0 ? [] : [without]), ...plannedNotes(conversions)];
}
