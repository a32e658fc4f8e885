import { extname } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { templateFile } from '../../../app/template/template.ts';
import { letterDistance, nearest } from '../../../domain/misspelling.ts';
import type { RailName } from '../../../domain/rails/rail.ts';
import { RAILS, railNameOf } from '../../../domain/rails/registry.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { EXAMPLE_PAYEE_ID } from '../../../input/checks/foreign-rows.ts';
import { counted } from '../../../messages/text.ts';
import { EXIT } from '../../exit.ts';
import { printResult } from '../../json/line.ts';
import { processIo } from '../../terminal.ts';
import { refuseOutput, writeOutput } from '../../write-output.ts';
import type { TemplateOutput } from './json.ts';

/** A mistyped name differs in so many characters at most. */
const SLIPS_MAX = 3;

const optionsSchema = z.object({
  rails: z.array(z.string()).default([]),
  out: z.string().min(1).default('payroll-template.xlsx'),
  force: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** `payrun template [RAIL…]`: writes an empty spreadsheet. Sets the process's exit code. */
export async function runTemplate(options: Record<string, unknown>): Promise<void> {
  const { rails, out, force, json } = optionsSchema.parse(options);
  const names = rails.map(railNamed);
  const extension = extname(out).toLowerCase();
  if (extension !== '.xlsx' && extension !== '.csv')
    throw new Refusal('usage', `--out: ${out} is neither .xlsx nor .csv.`, 'Give a name that ends in one of the two.');
  await refuseOutput(out, { neverOver: [], mayReplace: force, option: '--out' });
  const { template, content } = await templateFile(names, extension === '.csv' ? 'csv' : 'xlsx');
  await writeOutput(out, content, 0o644);
  const columns = template.columns.map(({ name }) => name);
  const output = { file: out, columns, examples: template.examples.length, exit: EXIT.ok };
  const to = { stdout: processIo(process.env).stdout, json };
  process.exitCode = printResult<TemplateOutput>(to, output, () => templateText(output));
}

function templateText({ file, columns, examples }: TemplateOutput): string {
  const isCsv = file.toLowerCase().endsWith('.csv');
  return [
    `${file}: ${counted(columns.length, 'column')}, ${counted(examples, 'example row')}`,
    `Rows with the payee_id "${EXAMPLE_PAYEE_ID}" are examples: check skips them, and they are never paid.`,
    isCsv ? ZEROS_LOST : 'The columns are formatted as text, so that account numbers keep their zeros.',
    '',
  ].join('\n');
}

const ZEROS_LOST =
  'A CSV cannot say which columns are text: where a spreadsheet program opens it, zeros at the beginning of account numbers are lost. Prefer .xlsx.';

function railNamed(text: string): RailName {
  const name = railNameOf(text);
  if (name !== null) return name;
  const near = nearRails(text);
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const remedy = `The rails are ${RAILS.map((rail) => rail.name).join(', ')}.`;
  throw new Refusal('usage', `There is no rail ${text}.${meant}`, remedy);
}

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
