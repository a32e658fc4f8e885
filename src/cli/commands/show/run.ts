import { readShown, type ShownRun, shownPayouts, shownResult, sinceOfShown } from '../../../app/show/shown-run.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Here, withJournal } from '../../here.ts';
import { showText } from '../../runs/show-text.ts';

/** Payouts that are made into text at once, so that the JSON of a hundred thousand is never one string. */
const PAYOUTS_AT_ONCE = 1_000;

/** Not loaded with the command, which does without. */
export const output = async () => {
  const { showResult } = await import('../../../app/show/show-result.ts');
  const { exitCode } = await import('../../json/outputs.ts');
  return showResult.extend({ exit: exitCode }).meta(showResult.meta() ?? {});
};

/** `payrun show RUN`. */
export async function run(given: Given): Promise<void> {
  await withJournal(given, (here) => showRun(here, String(given.run), { withPayouts: given.payouts !== false }));
}

/**
 * The state of each payout, problems last, and the doubts among them explained; of a plan that waits, what it is. Account
 * numbers are masked. Returns the exit code, which is that of a run that could be shown, however it went. Throws a `Refusal`
 * for an unknown run or a damaged journal.
 */
export async function showRun(here: Here, runId: string, { withPayouts = true } = {}): Promise<number> {
  const { io, settings, command } = here;
  const shown = await readShown(here, runId);
  if (settings.json) printJson(shown, withPayouts, here);
  else {
    const since = await sinceOfShown(here, shown);
    for (const part of showText(shown, since, { colour: io.colour, command })) io.stdout(part);
  }
  return EXIT.ok;
}

function printJson(shown: ShownRun, withPayouts: boolean, { io, command }: Here): void {
  const start = JSON.stringify(shownResult(shown, command)).slice(0, -1);
  const end = `"exit":${EXIT.ok}}\n`;
  if (!withPayouts) {
    io.stdout(`${start},${end}`);
    return;
  }
  let pending = `${start},"payouts":[`;
  let count = 0;
  for (const payout of shownPayouts(shown.run, command)) {
    pending += (count === 0 ? '' : ',') + JSON.stringify(payout);
    count++;
    if (count % PAYOUTS_AT_ONCE !== 0) continue;
    io.stdout(pending);
    pending = '';
  }
  io.stdout(`${pending}],${end}`);
}
