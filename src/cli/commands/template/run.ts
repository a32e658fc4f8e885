import { extname } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { EXAMPLE_ID, templateFile } from '../../../app/template/template.ts';
import { refuseOutput, requireEnding, writeOutput } from '../../../compose/machine/write-output.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { letterDistance, nearest } from '../../../domain/misspelling.ts';
import type { RailName } from '../../../domain/rails/rail.ts';
import { RAILS, railNameOf } from '../../../domain/rails/registry.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { counted } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { processIo } from '../../terminal.ts';

export const output = z
  .strictObject({ file: text, columns: z.array(text), examples: count, exit: exitCode })
  .meta({ description: 'The spreadsheet that was written.' });
type Output = z.output<typeof output>;

const optionsSchema = z.object({
  rails: z.array(z.string()).default([]),
  out: z.string().min(1).default('payroll-template.xlsx'),
  force: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** `payrun template [RAIL…]`: writes an empty spreadsheet. Sets the process's exit code. */
export async function run(given: Given): Promise<void> {
  const { rails, out, force, json } = optionsSchema.parse(given);
  const names = rails.map(railNamed);
  const file = { path: out, option: '--out', mayReplace: force };
  requireEnding(file, ['.xlsx', '.csv']);
  await refuseOutput(file);
  const { template, content } = await templateFile(names, extname(out).toLowerCase() === '.csv' ? 'csv' : 'xlsx');
  await writeOutput(out, content, 0o644);
  const columns = template.columns.map(({ name }) => name);
  const result = { file: out, columns, examples: template.examples.length, exit: EXIT.ok };
  const here = { io: processIo(process.env), settings: { json } };
  process.exitCode = print<Output>(here, result, () => templateText(result));
}

const ZEROS_LOST =
  'A CSV file cannot mark columns as text: spreadsheet programs drop leading zeros of account numbers. Prefer .xlsx.';

function templateText({ file, columns, examples }: Output): string {
  const isCsv = file.toLowerCase().endsWith('.csv');
  return [
    `${file}: ${counted(columns.length, 'column')}, ${counted(examples, 'example row')}`,
    `Rows with the payee_id "${EXAMPLE_ID}" are examples: check skips them, and they are never paid.`,
    isCsv ? ZEROS_LOST : 'The columns are formatted as text, so that account numbers keep their zeros.',
    '',
  ].join('\n');
}

function railNamed(text: string): RailName {
  const name = railNameOf(text);
  if (name === null) throw new Refusal({ code: 'unknown_rail', name: text, near: nearRails(text) });
  return name;
}

/** A mistyped name has so many slips at most. */
const SLIPS_MAX = 3;

/** The rails whose name has the text in it, or else those that it may be a slip of. */
function nearRails(text: string): RailName[] {
  const wanted = text.toUpperCase().replace(/[\s-]+/g, '_');
  const names = RAILS.map(({ name }) => name);
  const having = names.filter((name) => wanted.length >= 3 && name.includes(wanted));
  if (having.length > 0) return having;
  return nearest(names, (name) => {
    const slips = letterDistance(wanted, name, SLIPS_MAX);
    return slips > SLIPS_MAX ? null : slips;
  });
}
