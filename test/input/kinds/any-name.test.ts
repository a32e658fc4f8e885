import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInput } from '../../../src/input/input.ts';
import { oldWorkbookOf, openDocumentOf, tableOf } from '../../support/foreign-spreadsheets.ts';
import { HEADER, npp, placesOf, sourceOf } from '../reading.ts';

const ROWS = [HEADER.split(','), ['Łukasz', '1.5', 'AUD', 'AUD_NPP', '12345678', '062-000']];

const web = `<html><meta charset="iso-8859-2"><table>${ROWS.map((row) => `<tr><td>${row.join('<td>')}</td></tr>`).join('')}</table>`;
const text = `${HEADER}\n${npp('Łukasz', '1.5')}\n`;

const KINDS: readonly [kind: string, bytes: Buffer, encoding: string | null][] = [
  ['.xls', oldWorkbookOf([{ name: 'Pay', rows: ROWS }]), null],
  ['.ods', openDocumentOf(tableOf('Pay', ROWS)), null],
  ['a web page', Buffer.from(web.replace('Ł', '\xa3'), 'latin1'), 'iso-8859-2'],
  ['text with tabs', Buffer.from(text.replaceAll(',', '\t')), 'utf-8'],
  ['text', Buffer.from(text), 'utf-8'],
];

describe.each(KINDS)('a file of the kind %s is read by what is in it', (_, bytes, encoding) => {
  it.each(['pay.csv', 'pay.XLS', 'pay.xlsx', 'pay.ods'].slice(0, encoding === 'utf-8' ? 4 : 2))('%s', async (name) => {
    const names: unknown[] = [];
    const onRow = (row: { order: { payee: { name: string } } | null }) => void names.push(row.order?.payee.name);
    const result = await readInput({ ...sourceOf(bytes), name, path: name }, { onRow });
    expect([placesOf(result), names, result.encoding]).toEqual([[], ['Łukasz'], encoding]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(result.input).toMatchObject({ sha256, bytes: bytes.length, name });
  });
});

it('a workbook under the name of text is read', async () => {
  const bytes = readFileSync(join(import.meta.dirname, '../corpus/openpyxl.xlsx'));
  const columns = [{ header: 'paid_on', column: null }];
  expect((await readInput(sourceOf(bytes), { columns })).payouts).toBe(1);
});
