import { extname } from 'node:path';
import { correctionSheet } from '../../../app/retry/correction-sheet.ts';
import type { Retriable } from '../../../app/retry/retriable.ts';
import type { Settings } from '../../../compose/settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { counted } from '../../../messages/text.ts';
import { EXIT } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import type { Io } from '../../terminal.ts';
import { refuseOutput, writeOutput } from '../../write-output.ts';
import type { RetrySheetOutput } from './json.ts';

type Means = { io: Pick<Io, 'stdout'>; settings: Pick<Settings, 'json'>; command: CommandLine; force: boolean };

/** `payrun retry RUN --to FILE`: returns the exit code. Throws a `Refusal` (`usage`) for a name that cannot be written. */
export async function retrySheet(retried: Retriable, out: string, means: Means): Promise<number> {
  const { io, settings, command, force } = means;
  if (extname(out).toLowerCase() !== '.xlsx')
    throw new Refusal('usage', `--to: ${out} is no .xlsx file.`, 'Give a name that ends in .xlsx.');
  await refuseOutput(out, { neverOver: [], mayReplace: force, option: '--to' });
  await writeOutput(out, await correctionSheet(retried, command));
  const rows = retried.retryable.rows.length;
  const runId = retried.run.header?.run_id ?? '';
  const next = `Correct them there, then: ${command('retry', runId, '--from', out)}`;
  const answer = { run_id: runId, file: out, rows, exit: EXIT.ok };
  io.stdout(
    settings.json ? jsonLine<RetrySheetOutput>(answer) : `${out}: ${counted(rows, 'row')} of ${runId}. ${next}\n`,
  );
  return EXIT.ok;
}
