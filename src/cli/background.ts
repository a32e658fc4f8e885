import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { callsHere } from '../app/background/calls.ts';
import { serveCalls } from '../app/background/thread.ts';
import type { CancelDeps } from '../app/cancel/cancel.ts';
import { LEASE_MS, openDataJournal, openLog } from '../compose/data-dir.ts';
import { reportIn, serviceDeps } from '../compose/run-deps.ts';
import type { Settings } from '../compose/settings.ts';
import { withdrawalsOf } from '../compose/withdrawals.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { pageSteps } from '../messages/command-line.ts';
import { machineClock } from '../platform/machine.ts';

/** The thread beside the page: `main.ts` comes here where it is started as one. */
export async function serveBackground(): Promise<void> {
  const { settings } = workerData as { settings: Settings };
  const { dataDir } = settings;
  const journal = await openDataJournal(dataDir);
  const { log, flush } = openLog(dataDir, settings.logLevel);
  // What commands tell a person beside their result is for the log here.
  const io = { stderr: (text: string) => log.info({}, text.trim()) };
  // It ends with the page only, and is cut off then: the run is cancelled by that time.
  const whileLooking: CancelDeps['whileLooking'] = (work) => work(new AbortController().signal);
  const cancel = { ...serviceDeps({ journal, settings, log, io }), leaseMs: LEASE_MS, whileLooking };
  const withdrawals = (run: RunState) => withdrawalsOf(run, dataDir);
  const calls = callsHere({ journal, clock: machineClock, report: reportIn(pageSteps), withdrawals, cancel });
  const end = () => {
    flush();
    process.exit();
  };
  serveCalls(calls, { answered: flush, end });
}
