import { extname } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { editDistance } from '../../../app/runs/known-run.ts';
import { templateFile } from '../../../app/template/template.ts';
import type { RailName } from '../../../domain/rails/rail.ts';
import { RAILS, railNameOf } from '../../../domain/rails/registry.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { EXAMPLE_PAYEE_ID } from '../../../input/corrections/example-rows.ts';
import type { Template } from '../../../input/corrections/template.ts';
import { counted } from '../../../messages/text.ts';
import { EXIT } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import { processIo } from '../../terminal.ts';
import { refuseOutput, writeOutput } from '../../write-output.ts';
import type { TemplateOutput } from './json.ts';

const OUT_DEFAULT = 'payroll-template.xlsx';

/** A name that is typed wrong differs in so many characters at most. */
const EDITS_MAX = 3;

const optionsSchema = z.object({
  rails: z.array(z.string()).default([]),
  out: z.string().min(1).default(OUT_DEFAULT),
  force: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** `payrun template [RAIL…]`: writes an empty spreadsheet. Sets the process's exit code. */
export async function runTemplate(options: Record<string, unknown>): Promise<void> {
  const { rails, out, force, json } = optionsSchema.parse(options);
  const io = processIo(process.env);
  const names = rails.map(railNamed);
  const extension = extname(out).toLowerCase();
  if (extension !== '.xlsx' && extension !== '.csv')
    throw new Refusal('usage', `--out: ${out} is neither .xlsx nor .csv.`, 'Give a name that ends in one of the two.');
  await refuseOutput(out, { neverOver: [], mayReplace: force, option: '--out' });
  const { template, content } = await templateFile(names, extension === '.csv' ? 'csv' : 'xlsx');
  await writeOutput(out, content, 0o644);
  process.exitCode = EXIT.ok;
  const columns = template.columns.map(({ name }) => name);
  const examples = template.examples.length;
  if (json) io.stdout(jsonLine<TemplateOutput>({ file: out, columns, examples, exit: EXIT.ok }));
  else io.stdout(templateText(template, out, extension));
}

function templateText(template: Template, out: string, extension: string): string {
  const lines = [
    `${out}: ${counted(template.columns.length, 'column')}, ${counted(template.examples.length, 'example row')}`,
    `Rows with the payee_id "${EXAMPLE_PAYEE_ID}" are examples: check passes them over, and they are never paid.`,
  ];
  if (extension === '.xlsx') lines.push('The columns are formatted as text, so that account numbers keep their zeros.');
  else
    lines.push(
      'A CSV cannot say which columns are text: where a spreadsheet program opens it, zeros at the beginning of account numbers are lost. Prefer .xlsx.',
    );
  return `${lines.join('\n')}\n`;
}

function railNamed(text: string): RailName {
  const name = railNameOf(text);
  if (name !== null) return name;
  const near = nearRails(text);
  throw new Refusal(
    'usage',
    `There is no rail ${text}.${near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`}`,
    `The rails are ${RAILS.map((rail) => rail.name).join(', ')}.`,
  );
}

/** The rails whose name has the text in it, or else those that it may be a slip of. */
function nearRails(text: string): RailName[] {
  const wanted = text.toUpperCase().replace(/[\s-]+/g, '_');
  const names = RAILS.map(({ name }) => name);
  const having = names.filter((name) => wanted.length >= 3 && name.includes(wanted));
  if (having.length > 0) return having;
  const distances = names.map((name) => ({ name, edits: editDistance(wanted, name) }));
  const least = Math.min(...distances.map(({ edits }) => edits));
  return least > EDITS_MAX ? [] : distances.filter(({ edits }) => edits === least).map(({ name }) => name);
}
