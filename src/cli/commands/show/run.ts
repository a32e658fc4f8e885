import type { Journal } from '../../../journal/journal.ts';
import { type CommandLine, plainCommand } from '../../../messages/command-line.ts';
import { readSince } from '../../../runner/retries.ts';
import { EXIT } from '../../exit.ts';
import type { Io } from '../../terminal.ts';
import type { ShownPayout, ShowOutput } from './json.ts';
import { showText } from './show-text.ts';
import { readShown, shownJson, shownPayouts } from './shown-run.ts';

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
  { stdout }: Pick<Io, 'stdout'>,
  runId: string,
  { json, dataDir, payouts = true, colour = false, command = plainCommand }: Options,
): Promise<number> {
  const shown = await readShown(journal, runId, dataDir);
  const { run } = shown;
  if (json) printJson(stdout, shownJson(shown, command), payouts ? shownPayouts(run, command) : null);
  else for (const part of showText(shown, await readSince(journal, run), { colour, command })) stdout(part);
  return EXIT.ok;
}

function printJson(
  stdout: Io['stdout'],
  shown: Omit<ShowOutput, 'payouts' | 'exit'>,
  payouts: Iterable<ShownPayout> | null,
): void {
  const start = JSON.stringify(shown).slice(0, -1);
  const end = `"exit":${EXIT.ok}}\n`;
  if (payouts === null) {
    stdout(`${start},${end}`);
    return;
  }
  let pending = `${start},"payouts":[`;
  let count = 0;
  for (const payout of payouts) {
    pending += (count === 0 ? '' : ',') + JSON.stringify(payout);
    count++;
    if (count % PAYOUTS_AT_ONCE !== 0) continue;
    stdout(pending);
    pending = '';
  }
  stdout(`${pending}],${end}`);
}
