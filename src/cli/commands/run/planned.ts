import { type PlanProposal, type StartDeps, startPlan } from '../../../app/run/start-plan.ts';
import { startDeps } from '../../../compose/run-deps.ts';
import type { Settings } from '../../../compose/settings.ts';
import { noteOf } from '../../../compose/webhooks.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import type { Journal } from '../../../journal/journal.ts';
import { printable, rowsText } from '../../../messages/text.ts';
import type { Log } from '../../../platform/log.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { withLoggedJournal } from '../../journal-command.ts';
import { plannedNotes } from '../../plans/conversion-text.ts';
import { runDepsHere } from '../../runs/execution.ts';
import type { Io } from '../../terminal.ts';
import { askToPay } from './consent.ts';

type Here = { journal: Journal; io: Io; settings: Settings; log: Log };

/** `payrun run RUN`: does exactly what was planned, or refuses. */
export async function runPlanned(options: Record<string, unknown>): Promise<void> {
  await withLoggedJournal(options, async (here) => {
    const { onlyValid, allowRepeat } = here.settings;
    const runId = String(options.input);
    const { ending } = await startPlan(startDepsHere(here, null), { runId, onlyValid, allowRepeat });
    return ENDING_EXIT[ending];
  });
}

/** What a plan is started with at a command line. `person` is the one on the page for whom it is started. */
export function startDepsHere(here: Here, person: string | null): StartDeps {
  const { io, settings } = here;
  return {
    ...startDeps(runDepsHere(here, person), settings),
    confirm: (proposal) => askToPay(io, settings, { ...proposal, first: '', notes: notesOf(proposal) }),
    async whileLooking(work) {
      const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
      return work(interrupt.signal).finally(() => interrupt.release());
    },
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
