/**
 * Another process at the same journal: `node child.ts OPENER ARGUMENT MODE`. It says `ready`, waits for a line on its
 * standard input, does what MODE says, and prints one line of JSON for each thing that happened.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Journal } from '../../src/journal/journal.ts';
import { identifyProcess, isProcessAlive } from '../../src/journal/process-identity.ts';
import { type OpenOptions, REAL_CLOCK } from './place.ts';
import { CHILD_ROWS_ENTRIES, sampleHeader, sampleHint, sampleIntent, sampleRows } from './samples.ts';

type Opener = { default(argument: string, options: OpenOptions): Journal | Promise<Journal> };

const [opener = '', argument = '', mode = '', runId = ''] = process.argv.slice(2);

// Loaded before it is ready, so that racing children start within a millisecond of each other.
const { default: open } = (await import(opener)) as Opener;
const input = createInterface({ input: process.stdin });
say('ready');
await once(input, 'line');
await act();
// A lease lives as long as its process, so the process stays until it is told otherwise, or killed.
await once(input, 'close');

async function act(): Promise<void> {
  const journal = await open(argument, { clock: REAL_CLOCK, process: identifyProcess(), isAlive: isProcessAlive });
  switch (mode) {
    case 'append': {
      const opening = await journal.openRun(runId);
      if (opening.outcome !== 'opened') throw new Error(opening.outcome);
      for (let row = 2; ; row += 3) {
        const written = [row, row + 1, row + 2];
        await Promise.all(
          written.map(async (each) => {
            await opening.writer.append([sampleIntent(each)]);
            say(each);
          }),
        );
      }
    }
    case 'create': {
      const creating = await journal.createRun({
        header: sampleHeader(runId),
        rows: [sampleRows(3)],
        refuseRepeat: true,
      });
      if (creating.outcome === 'created') say({ created: creating.writer.runId });
      else if (creating.outcome === 'repeats') say({ repeats: creating.runId });
      else say(creating.outcome);
      return;
    }
    case 'create-many': {
      const rows = Array.from({ length: CHILD_ROWS_ENTRIES }, () => sampleRows(256));
      say('creating');
      for (let run = 1; ; run++) {
        await journal.createRun({ header: sampleHeader(`R${run}`), rows, refuseRepeat: false });
        say(`R${run}`);
      }
    }
    case 'hint': {
      for (let first = 1; ; first += 3) {
        const ids = [first, first + 1, first + 2];
        say({ added: await journal.addHints(ids.map((id) => sampleHint(`${runId}${id}`))), last: first + 2 });
      }
    }
    case 'open': {
      const opening = await journal.openRun(runId);
      if (opening.outcome === 'opened') await opening.writer.append([sampleIntent(2)]);
      say(opening.outcome);
      return;
    }
    default:
      throw new Error(`there is no mode ${mode}`);
  }
}

// A write straight to the descriptor: what is said has left the process when it is killed.
function say(what: unknown): void {
  for (;;) {
    try {
      writeSync(1, `${JSON.stringify(what)}\n`);
      return;
    } catch (error) {
      // The pipe is full: whoever reads it is slower.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
