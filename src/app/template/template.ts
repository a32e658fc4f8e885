import type { RailName } from '../../domain/rails/rail.ts';
import { EXAMPLE_PAYEE_ID } from '../../input/checks/foreign-rows.ts';
import { type Template, templateFor } from '../../input/corrections/template.ts';
import { csvCell } from '../../report/csv.ts';

export type TemplateFormat = 'xlsx' | 'csv';

export type TemplateFile = { template: Template; content: Uint8Array };

/** The `payee_id` of rows that are examples, which are never paid. */
export const EXAMPLE_ID: string = EXAMPLE_PAYEE_ID;

/** Characters beside the longest text of a column. */
const MARGIN = 3;

/** An empty spreadsheet with the right columns, notes and one example for each rail; without any, for all. */
export async function templateFile(rails: readonly RailName[], format: TemplateFormat): Promise<TemplateFile> {
  const template = templateFor(rails);
  const content = format === 'csv' ? csvTemplate(template) : await xlsxTemplate(template);
  return { template, content };
}

function csvTemplate({ columns, examples }: Template): Uint8Array {
  const rows = [columns.map(({ name }) => name), ...examples];
  return new TextEncoder().encode(rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join(''));
}

/** The workbook, and beside its sheet one that says the notes at length. */
async function xlsxTemplate({ columns, examples }: Template): Promise<Uint8Array> {
  const { writeWorkbook } = await import('../../platform/xlsx/workbook-writer.ts');
  const header = columns.map(({ name, note }) => ({ text: name, look: 'header' as const, note }));
  const rows = examples.map((cells) => cells.map((text) => ({ text, look: 'example' as const })));
  const notes = columns.flatMap(({ name, note }) =>
    note.split('\n').map((text, at) => [{ text: at === 0 ? name : '' }, { text }]),
  );
  return writeWorkbook([
    {
      name: 'Payouts',
      columns: columns.map(({ name, choices }, at) => ({
        width: Math.max(name.length, ...examples.map((cells) => cells[at]?.length ?? 0)) + MARGIN,
        isText: name !== 'amount',
        choices,
      })),
      rows: [header, ...rows],
      frozenRows: 1,
    },
    {
      name: 'Notes',
      columns: [
        { width: 24, isText: true },
        { width: 100, isText: true },
      ],
      rows: notes,
      frozenRows: 0,
    },
  ]);
}
