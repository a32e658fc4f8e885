import process from 'node:process';
import { explanationOf } from '../compose/machine/explanation.ts';
import type { Place } from '../messages/refusals/refusal-words.ts';
import type { RefusalOutput } from './json/outputs.ts';
import { jsonLine } from './json/print.ts';

/**
 * Writes on standard error what went wrong and what to do, and gives the exit code. With `json` the one object that a program
 * waits for on standard output has it too.
 */
export function explain(thrown: unknown, json: boolean, place: Place): number {
  const { message, remedy, exit, runId, rows, isStopped } = explanationOf(thrown, place);
  const text = `${message}\n${remedy}`;
  if (json) {
    const [first = '', ...more] = text.split('\n');
    const known = { run_id: runId, state: isStopped ? 'stopped' : 'refused', message: first } as const;
    const ofRows = rows === null ? {} : { rows: [...rows] };
    process.stdout.write(jsonLine<RefusalOutput>({ ...known, remedy: more.join('\n'), ...ofRows, exit }));
  }
  process.stderr.write(`${text}\n`);
  return exit;
}
