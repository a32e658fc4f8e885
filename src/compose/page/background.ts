import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { callsHere } from '../../app/background/calls.ts';
import { serveCalls } from '../../app/background/thread.ts';
import type { CancelDeps } from '../../app/cancel/cancel.ts';
import type { Over } from '../../app/service/over.ts';
import { messages } from '../../messages/messages.ts';
import { loadTranslations } from '../../messages/translations.ts';
import { LEASE_MS, openDataJournal, openLog } from '../data-dir.ts';
import { hereWith } from '../machine/here.ts';
import { reportIn, serviceDeps } from '../run-deps.ts';
import type { Settings } from '../settings.ts';
import { settingsOver } from './over.ts';

/** The thread beside the page: `cli/main.ts` comes here where it is started as one. */
export async function serveBackground(): Promise<void> {
  const { settings } = workerData as { settings: Settings };
  loadTranslations();
  const journal = await openDataJournal(settings);
  const { log, flush } = openLog(settings);
  // What a command line shows people beside its result is for the log here.
  const io = { stderr: (text: string) => log.info({}, text.trim()) };
  // It ends with the page only, and is cut off then: the run is cancelled by that time.
  const whileLooking: CancelDeps['whileLooking'] = (work) => work(new AbortController().signal);
  const cancel = (over: Over | undefined): CancelDeps => {
    const given = { journal, settings: settingsOver(settings, over), log, io };
    return { ...serviceDeps(given), leaseMs: LEASE_MS, whileLooking };
  };
  const calls = callsHere({ ...hereWith(journal, settings), log, report: reportIn(messages.pages.pageSteps), cancel });
  const end = () => {
    flush();
    process.exit();
  };
  serveCalls(calls, { answered: flush, end });
}
