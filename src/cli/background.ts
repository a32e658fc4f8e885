import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { callsHere } from '../app/background/calls.ts';
import { serveCalls } from '../app/background/thread.ts';
import { machineClock } from '../platform/machine.ts';
import { openDataJournal } from './compose.ts';
import { packageVersion } from './version.ts';

/** The thread beside the page: `main.ts` comes here where it is started as one. */
export function serveBackground(): void {
  const { dataDir } = z.object({ dataDir: z.string() }).parse(workerData);
  serveCalls(callsHere({ journal: openDataJournal(dataDir), clock: machineClock, version: packageVersion() }));
}
