import type { Actor, Entry } from '../../domain/entry.ts';
import type { Log } from '../../domain/log.ts';
import type { PauseOutcome } from '../../domain/outcomes/cancel-outcome.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { tallyOf } from '../../domain/run/tally.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import { actorText } from '../../report/model/actor-text.ts';
import { notStartedOf, openRun, readRun, reportingLoss } from '../runs/known-run.ts';

/**
 * The process that works on the run submits nothing more, reconciles what is in flight and ends. Nothing goes on with the
 * run but a person's resume.
 */
export function pauseRun(
  { journal, log }: { journal: Journal; log: Log },
  { runId, actor }: { runId: string; actor: Actor },
): Promise<PauseOutcome> {
  return reportingLoss<PauseOutcome>(runId, async () => {
    const read = await readRun(journal, runId);
    if (read.outcome !== 'read') return read;
    const before = read.run;
    const known = notStartedOf(before) ?? cancelledBefore(before, runId);
    if (known !== null) return known;
    if (before.finished !== null) return { outcome: 'finished', runId };
    const { by: _, ...person } = actor;
    const opened = await openRun(journal, runId, person);
    if (opened.outcome === 'held') {
      const by = actorText(actor);
      await journal.askToPause(runId, by);
      return { outcome: 'asked', runId, holder: opened.holder, by };
    }
    if (opened.outcome !== 'opened') return opened;
    try {
      const paused = await pause(journal, opened.writer, before, actor);
      if (paused.outcome === 'paused') log.info({ run: runId, by: actor.by }, 'paused');
      return paused;
    } finally {
      await opened.writer.release();
    }
  });
}

/** Nothing more of it is submitted anyway. */
function cancelledBefore({ cancelled, finished }: RunState, runId: string): PauseOutcome | null {
  return cancelled && finished === null ? { outcome: 'was_cancelled', runId } : null;
}

/** Nobody works on it. Why it stopped stays in the journal: taking the run up has cleared that. */
async function pause(journal: Journal, writer: RunWriter, before: RunState, actor: Actor): Promise<PauseOutcome> {
  const { runId } = writer;
  const read = await readRun(journal, runId);
  if (read.outcome !== 'read') return read;
  const { run } = read;
  const cancelled = cancelledBefore(run, runId);
  if (cancelled !== null) return cancelled;
  const { stopped, stopMessage, stopWhy, paused: wasPaused } = before;
  const entries: Entry[] = [
    ...(wasPaused ? [] : [{ kind: 'paused' as const, ...actor }]),
    {
      kind: 'stopped',
      reason: stopped ?? 'interrupted',
      ...(stopMessage !== null && { message: stopMessage }),
      ...(stopWhy !== null && { why: stopWhy }),
    },
  ];
  const at = await writer.append(entries);
  for (const entry of entries) applyToRun(run, entry, at);
  return { outcome: 'paused', runId, by: actor.by, wasPaused, waiting: tallyOf(run).waiting };
}
