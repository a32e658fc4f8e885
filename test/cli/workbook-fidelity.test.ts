import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openArchive } from '../../src/platform/xlsx/archive.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { rowOf, rowsOf, type WorkbookXml, workbookOf } from '../support/workbook.ts';

const HEADER = ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code', 'reference'];
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The parts of a workbook, as text. */
async function partsOf(path: string): Promise<Map<string, string>> {
  const opened = await openArchive(readFileSync(path));
  if (!opened.ok) throw new Error(opened.code);
  const parts = new Map<string, string>();
  for (const name of opened.archive.names) parts.set(name, await opened.archive.text(name));
  return parts;
}

/** Writes a workbook, has `check` copy it, and gives the parts of both and what was said. */
async function copied(option: '--annotate' | '--fix', workbook: WorkbookXml, path?: string) {
  const folder = temporaryFolder();
  const own = path ?? join(folder, 'own.xlsx');
  const out = join(folder, 'out.xlsx');
  if (path === undefined) writeFileSync(own, workbookOf(workbook));
  const { stdout, stderr } = await payrun(['check', own, option, out, '--json'], { cwd: folder });
  expect(stderr).toBe('');
  const again = await payrun(['check', out, '--json'], { cwd: folder });
  const [json, copy] = [JSON.parse(stdout), JSON.parse(again.stdout)];
  return { out, json, copy, before: await partsOf(own), after: await partsOf(out) };
}

function sheetIn(parts: Map<string, string>): string {
  return parts.get('xl/worksheets/sheet1.xml') ?? '';
}

function npp(name: string, code: string | number | null, reference: string | null = null) {
  return [name, 5, 'AUD', 'AUD_NPP', '12345678', code, reference];
}

/** A sheet in the words of another program, whose names have a prefix. */
function prefixed(rows: string): WorkbookXml {
  const content = `<?xml version="1.0"?><x:worksheet xmlns:x="${MAIN}"><x:sheetData>${rows.replace(/<(\/?)(?=\w)/g, '<$1x:')}</x:sheetData></x:worksheet>`;
  return { sheets: [{ name: 'Pay', rows: '' }], entries: [{ name: 'xl/worksheets/sheet1.xml', content }] };
}

describe('check --annotate of a workbook', () => {
  test('changes the styles of the marked cells in the sheet, and nothing else', async () => {
    const rows = rowsOf([HEADER, npp('Ana _x005F_x0041_', '062-000'), npp('Bob', 13_006), npp('Cid', 'x<y')]);
    const odd = `${rows}<!-- <row r="9"> --><row r="6" spans="1:7" x14ac:dyDescent="0.2"  ><c r='A6' t = "str"><f>"D"&amp;"i"</f><v>Di</v></c></row>`;
    const sheet = { name: 'Pay', rows: odd, before: '<cols><col min="1" max="1" width="9"/></cols>' };
    const entries = [{ name: 'xl/theme/theme1.xml', content: '<a:theme xmlns:a="x"/>' }];
    const { before, after, json } = await copied('--annotate', { sheets: [sheet, { name: 'B', rows: '' }], entries });
    const written = /xl\/worksheets\/sheet1\.xml|styles|workbook\.xml|Content_Types|^_rels/;
    for (const [name, content] of before) if (!written.test(name)) expect(after.get(name), name).toBe(content);
    const cells = json.problems.map(({ cell }: { cell: string }) => cell);
    expect(cells).toEqual(expect.arrayContaining(['F3', 'F4']));
    const unmarked = sheetIn(after)
      .replace(/<legacyDrawing[^>]*>/, '')
      .replace(/(<c r="F[34]"[^>]*) s="\d+"/g, '$1')
      .replace(/<c r="[B-G]6" s="\d+"\/>/g, '');
    expect(unmarked.replace(/<\?xml.*\?>/, '')).toBe(
      sheetIn(before)
        .replace(/<\?xml.*\?>/, '')
        .replace(' spans="1:7"', '')
        .replace('<c r=\'A6\' t = "str">', /<c r='A6'[^>]*>/.exec(sheetIn(after))?.[0] ?? ''),
    );
  });

  test.each<[what: string, WorkbookXml]>([
    [
      'rows and cells without their names',
      { sheets: [{ name: 'Pay', rows: rowsOf([HEADER, npp('Ana', null)]).replaceAll(/ r="\w+"/g, '') }] },
    ],
    ['names with a prefix', prefixed(rowsOf([HEADER, npp('Ana', null)]))],
    [
      'a row that ends before the cell',
      { sheets: [{ name: 'Pay', rows: rowsOf([HEADER, npp('Ana', null).slice(0, 5)]) }] },
    ],
    [
      'a cell that stands between others',
      { sheets: [{ name: 'Pay', rows: rowsOf([HEADER, npp('Ana', null, 'July')]) }] },
    ],
  ])('marks a cell that is missing: %s', async (_, workbook) => {
    const { json, copy, after } = await copied('--annotate', workbook);
    expect(json.problems).toMatchObject([{ cell: 'F2', code: 'bsb_missing' }]);
    expect(copy.problems).toEqual(json.problems);
    expect(sheetIn(after)).toMatch(/<(?:x:)?c r="F2" s="\d+"\/>/);
    expect(sheetIn(after).match(/<(?:x:)?row\b/g)).toHaveLength(2);
  });

  test('opens with the list of problems, and keeps what is said of sheets by their place', async () => {
    const view = '<sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews>';
    const names = `<definedNames><definedName name="_xlnm.Print_Area" localSheetId="1">Pay!$A$1</definedName></definedNames>`;
    const listed = ['Notes', 'Pay'].map(
      (name, at) => `<sheet name="${name}" sheetId="${at + 4}" r:id="rId${at + 1}"/>`,
    );
    const content = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView firstSheet="1" activeTab="1"/></bookViews><sheets>${listed.join('')}</sheets>${names}</workbook>`;
    const sheets = [
      { name: 'Notes', rows: rowsOf([['by Kim']]), before: view },
      { name: 'Pay', rows: rowsOf([HEADER, npp('Ana', 13_006)]), before: view },
    ];
    const first = await copied('--annotate', { sheets, entries: [{ name: 'xl/workbook.xml', content }] });
    const second = await copied('--annotate', { sheets: [] }, first.out);
    for (const { after } of [first, second]) {
      const workbook = after.get('xl/workbook.xml') ?? '';
      expect(Array.from(workbook.matchAll(/<sheet [^>]*name="([^"]*)"/g), ([, name]) => name)).toEqual([
        'Problems',
        'Notes',
        'Pay',
      ]);
      expect(workbook).toContain('<workbookView activeTab="0"/>');
      expect(workbook).toContain('localSheetId="2"');
      const selected = [...after].filter(([, xml]) => xml.includes('tabSelected')).map(([name]) => name);
      expect(selected).toEqual([expect.stringMatching(/problems\d+\.xml$/)]);
    }
    expect([...second.after.keys()].filter((name) => name.includes('comments'))).toHaveLength(1);
  });

  test("keeps somebody's comment with its looks, and its box, and takes ours away again", async () => {
    const theirs = '<r><rPr><b/></rPr><t xml:space="preserve">Kim:&#10;</t></r><r><t>a &lt; b</t></r>';
    const box = (row: number) =>
      `<v:shape id="_x0000_s${1_030 + row}" type="#_x0000_t202"><v:textbox><br></v:textbox><x:ClientData ObjectType="Note"><x:Row>${row}</x:Row><x:Column>5</x:Column></x:ClientData></v:shape>`;
    const entries = [
      {
        name: 'xl/worksheets/_rels/sheet1.xml.rels',
        content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId7" Type="${RELATIONS}/comments" Target="../comments1.xml"/><Relationship Id="rId8" Type="${RELATIONS}/vmlDrawing" Target="../drawings/old.vml"/></Relationships>`,
      },
      {
        name: 'xl/comments1.xml',
        content: `<comments xmlns="${MAIN}"><authors><author>Kim</author></authors><commentList><comment ref="F2" authorId="0"><text>${theirs}</text></comment></commentList></comments>`,
      },
      {
        name: 'xl/drawings/old.vml',
        content: `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202"/>${box(1)}</xml>`,
      },
    ];
    const behind = `<legacyDrawing xmlns:r="${RELATIONS}" r:id="rId8"/><tableParts count="0"/>`;
    const rows = rowsOf([HEADER, npp('Ana', 13_006), npp('Bob', 13_007)]);
    const first = await copied('--annotate', { sheets: [{ name: 'Pay', rows, behind }], entries });
    const comments = first.after.get('xl/comments1.xml') ?? '';
    expect(comments).toContain('<rPr><b/></rPr>');
    expect(comments.match(/<comment /g)).toHaveLength(2);
    expect(first.after.get('xl/drawings/old.vml')?.match(/<v:shape /g)).toHaveLength(2);
    expect(sheetIn(first.after).match(/<legacyDrawing/g)).toHaveLength(1);

    const mended = workbookOf({
      sheets: [{ name: 'Pay', rows: '' }],
      entries: [...first.after]
        .filter(([name]) => !name.includes('problems'))
        .map(([name, content]) => ({
          name,
          content: content
            .replace(/(<c r="F3" s="\d+")><v>13007<\/v><\/c>/, '$1 t="inlineStr"><is><t>013-007</t></is></c>')
            .replace(/<sheet [^>]*name="Problems"[^>]*>|<[^>]*problems1.xml"[^>]*>/g, ''),
        })),
    });
    const path = join(temporaryFolder(), 'mended.xlsx');
    writeFileSync(path, mended);
    const second = await copied('--annotate', { sheets: [] }, path);
    expect(second.json.problems).toMatchObject([{ cell: 'F2' }]);
    const left = second.after.get('xl/comments1.xml') ?? '';
    expect(left.match(/<comment /g)).toHaveLength(1);
    expect(left.match(/payrun: /g)).toHaveLength(1);
    expect(left).toContain('a &lt; b');
    expect(second.after.get('xl/drawings/old.vml')).toBe(first.before.get('xl/drawings/old.vml'));
    const styles =
      second.after
        .get('xl/styles.xml')
        ?.split('<cellXfs')[1]
        ?.match(/<xf [^>]*>/g) ?? [];
    const styleOf = (cell: string) =>
      styles[Number(new RegExp(`r="${cell}"[^>]* s="(\\d+)"`).exec(sheetIn(second.after))?.[1])];
    expect(styleOf('F3')).toContain('fillId="0"');
    expect(styleOf('F2')).not.toContain('fillId="0"');
  });
});

describe('check --fix of a workbook', () => {
  const euro = (name: string, reference: string) => [
    name,
    5,
    'EUR',
    'EUR_SEPA',
    'DE89370400440532013000',
    null,
    reference,
  ];

  test('keeps texts that look like escapes, and writes such', async () => {
    const rows = rowsOf([HEADER, euro('Ana _x005F_x0041_', 'Nómina'), euro('Bob_x000D_', 'July')]);
    const { json, copy, after } = await copied('--fix', { sheets: [{ name: 'Pay', rows }] });
    expect(json.fixed.changes).toMatchObject([{ cell: 'G2', old: 'Nómina', new: 'Nomina' }]);
    expect(copy.problems.filter(({ column }: { column: string }) => column === 'reference')).toEqual([]);
    expect(sheetIn(after)).toContain('>Ana _x005F_x0041_<');
    expect(sheetIn(after)).toContain('>Bob_x000D_<');
  });

  test('leaves the first cell of a shared formula to the person, and no order in which formulas are calculated', async () => {
    const shared = (row: number, inner: string) =>
      rowOf(row, [
        ...euro(`P${row}`, '').slice(0, 6),
        `<c t="str">${inner}<v>${row === 4 ? 'July' : 'Nómina'}</v></c>`,
      ]);
    const rows = [
      rowsOf([HEADER]),
      shared(2, '<f t="shared" ref="G2:G4" si="0">"N"&amp;A2</f>'),
      shared(3, '<f t="shared" si="0"/>'),
      shared(4, '<f t="shared" si="0"/>'),
    ].join('');
    const content = `<calcChain xmlns="${MAIN}"><c r="G2" i="1"/></calcChain>`;
    const { after, json } = await copied('--fix', {
      sheets: [{ name: 'Pay', rows }],
      entries: [
        { name: 'xl/calcChain.xml', content },
        {
          name: 'xl/_rels/workbook.xml.rels',
          content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${RELATIONS}/calcChain" Target="calcChain.xml"/></Relationships>`,
        },
      ],
    });
    expect(json.fixed.changes.map(({ cell }: { cell: string }) => cell)).toEqual(['G3']);
    expect(json.fixed.left).toMatchObject([
      { cell: 'G2', suggestion: 'Nomina', why: expect.stringContaining('formula') },
    ]);
    expect(sheetIn(after)).toContain('<f t="shared" ref="G2:G4" si="0">');
    expect(sheetIn(after)).toContain('<f t="shared" si="0"/><v>July</v>');
    expect(sheetIn(after)).toContain('<v>July</v>');
    expect(after.has('xl/calcChain.xml')).toBe(false);
    expect(after.get('xl/_rels/workbook.xml.rels')).not.toContain('calcChain');
  });

  test('leaves the header of a table to the person, and mends the cells under it', async () => {
    const header = HEADER.map((name) => (name === 'account_number' ? 'acount_number' : name));
    const columns = header.map((name, at) => `<tableColumn id="${at + 1}" name="${name}"/>`).join('');
    const table = `<table xmlns="${MAIN}" id="1" name="T" displayName="T" ref="A1:G2"><tableColumns count="7">${columns}</tableColumns></table>`;
    const relation = `<Relationship Id="rId1" Type="${RELATIONS}/table" Target="../tables/table1.xml"/>`;
    const { after, json } = await copied('--fix', {
      sheets: [{ name: 'Pay', rows: rowsOf([header, euro('Ana', 'Nómina')]) }],
      entries: [
        { name: 'xl/tables/table1.xml', content: table },
        {
          name: 'xl/worksheets/_rels/sheet1.xml.rels',
          content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`,
        },
      ],
    });
    expect(json.fixed.left).toMatchObject([{ cell: 'E1', suggestion: 'account_number' }]);
    expect(json.fixed.changes.map(({ cell }: { cell: string }) => cell)).toEqual(['G2']);
    expect(sheetIn(after)).toContain('acount_number');
    expect(after.get('xl/tables/table1.xml')).toBe(table);
  });
});
