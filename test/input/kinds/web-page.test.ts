import { describe, expect, it } from 'vitest';
import { webPageToXlsx } from '../../../src/platform/xlsx/conversion/web-page.ts';
import { HEADER, placesOf } from '../reading.ts';
import { faultOf, readConverted } from './converted.ts';

const read = (html: string) => readConverted(webPageToXlsx(html));

const cells = (texts: readonly string[], tag = 'td') => texts.map((text) => `<${tag}>${text}</${tag}>`).join('');
const HEAD = `<tr>${cells(HEADER.split(','), 'th')}</tr>`;
const payout = (name: string, amount = '1,234.50') =>
  `<tr>${cells([name, amount, 'AUD', 'AUD_NPP', '02345678', '062-000'])}</tr>`;
const page = (body: string, head = '<meta charset="utf-8">') => `<html><head>${head}</head><body>${body}</body></html>`;

describe('a web page that has a table', () => {
  it('is read as it stands: entities, zeros, amounts as text', async () => {
    const result = await read(page(`<table>${HEAD}${payout('M&uuml;ller &amp; S&#246;hne&nbsp;')}</table>`));
    expect(placesOf(result)).toEqual([]);
    expect(result.runRows[0]?.order).toMatchObject({
      payee: { name: 'Müller & Söhne' },
      amount_minor: '123450',
      destination: { fields: { account_number: '02345678' } },
    });
  });

  it('is read with tags that are not closed, and with the table that has our columns', async () => {
    const loose = HEAD.replaceAll('</th>', '').replaceAll('</tr>', '') + payout('Ana').replaceAll('</td>', '');
    const result = await read(page(`<table><tr><td>Menu</table><p>July<table border=1>${loose}</table>`));
    expect([placesOf(result), result.payouts, result.sheet]).toEqual([['row 1 rows_above_header'], 1, 'Table 2']);
  });

  it('is read with rows that it hides, and cells that span others', async () => {
    const hidden = payout('Bob').replace('<tr>', '<tr style="display: none">');
    const spanned = payout('Cy').replace('<td>Cy', '<td rowspan=2>Cy') + payout('x').replace('<td>x</td>', '');
    const result = await read(page(`<table>${HEAD}${payout('Ana')}${hidden}${spanned}</table>`));
    expect(placesOf(result).sort()).toEqual(
      ['A4 cells_merged', 'A5 name_missing', 'E4 possible_duplicate', 'row 3 row_hidden'].sort(),
    );
  });

  it.each([
    ['a table in a cell', `<table>${HEAD}<tr><td><table></table></td></tr></table>`, 'web_page_unclear'],
    ['a hidden cell', `<table>${HEAD}<tr><td hidden>x</td></tr></table>`, 'web_page_unclear'],
    [
      'a hidden part of a cell',
      `<table><tr><td>1<span style="display:none">2</span></td></tr></table>`,
      'web_page_unclear',
    ],
    ['a field', '<table><tr><td><input value="12"></td></tr></table>', 'web_page_unclear'],
    ['no table', '<p>Signed out</p>', 'web_page_without_table'],
    ['columns without end', `<table><tr>${'<td colspan=1000>'.repeat(20)}</table>`, 'spreadsheet_too_large'],
  ])('is refused where it has %s', async (_, body, code) => {
    expect(await faultOf(() => webPageToXlsx(page(body)))).toBe(code);
  });
});
