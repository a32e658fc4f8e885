import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { readInput } from '../../../src/input/input.ts';
import { problemWords } from '../../../src/messages/problems/problem-words.ts';
import { openArchive, UNPACKED_BYTES_MAX } from '../../../src/platform/xlsx/archive.ts';
import { HEADER, placesOf, sourceOf } from '../../input/reading.ts';
import { bombOf } from '../../support/bomb.ts';
import { cases } from '../../support/cases.ts';
import { payrun, temporaryFolder } from '../../support/payrun.ts';
import { rowsOf, workbookOf } from '../../support/workbook.ts';
import { zipOf } from '../../support/zip.ts';

const PEAK_HOOK = new URL('../../bench/peak.ts', import.meta.url).href;
const MEBIBYTE = 2 ** 20;

const row = ['Ana', 12.5, 'AUD', 'AUD_NPP', '12345678', '062-000'];
const good = (): Buffer => workbookOf({ sheets: [{ name: 'Pay', rows: rowsOf([HEADER.split(','), row]) }] });

function read(bytes: Uint8Array) {
  return readInput({ ...sourceOf(bytes), name: 'pay.xlsx', path: 'pay.xlsx' });
}

describe('a bomb', () => {
  it.each<[what: string, says: { unpacked?: number }, code: string]>([
    ['that says what it is', {}, 'workbook_too_large'],
    ['whose size lies', { unpacked: 1_000 }, 'workbook_damaged'],
    ['whose size is just within the limit', { unpacked: UNPACKED_BYTES_MAX - MEBIBYTE }, 'workbook_damaged'],
    ['that says it is empty', { unpacked: 0 }, 'workbook_damaged'],
  ])('%s is refused in little memory', async (_, says, code) => {
    const folder = temporaryFolder();
    const path = join(folder, 'bomb.xlsx');
    const bytes = bombOf(says);
    expect(bytes.length).toBeLessThan(4 * MEBIBYTE);
    writeFileSync(path, bytes);
    const peakFile = join(folder, 'peak');
    const env = { NODE_OPTIONS: `--import ${PEAK_HOOK}`, PAYRUN_BENCH_PEAK: peakFile };
    const { exit, stdout } = await payrun(['check', path, '--json'], { env });
    expect(exit).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ payouts: 0, problems: [{ code, severity: 'error' }] });
    const { readFileSync } = await import('node:fs');
    expect(Number(readFileSync(peakFile, 'utf8')) / MEBIBYTE).toBeLessThan(256);
  });

  it('of many parts counts as a whole', async () => {
    const half = { content: 'x', says: { unpacked: UNPACKED_BYTES_MAX / 2 + 1 } };
    const bytes = zipOf([
      { name: 'a.xml', ...half },
      { name: 'b.xml', ...half },
    ]);
    expect(await openArchive(bytes)).toEqual({ ok: false, code: 'workbook_too_large' });
  });
});

describe('what is no workbook is refused, with what to do about it', () => {
  it.each<[what: string, bytes: () => Uint8Array | Promise<Uint8Array>, code: string, remedy: string]>([
    ['nothing', () => Buffer.of(), 'file_empty', 'Save the sheet again'],
    [
      'a zip of something else',
      () => zipOf([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' }]),
      'not_a_workbook',
      'save its table as .xlsx',
    ],
    [
      'a document of another program of the family',
      () => workbookOf({ sheets: [], entries: [{ name: 'xl/workbook.xml', content: '<document/>' }] }),
      'workbook_damaged',
      'save it as .xlsx again',
    ],
    [
      'a binary workbook',
      () => workbookOf({ sheets: [], entries: [{ name: 'xl/workbook.bin', content: 'x' }] }),
      'workbook_binary',
      'save it as .xlsx',
    ],
    ['a cut workbook of the old kind', () => compound('Workbook'), 'workbook_damaged', 'save it as .xlsx again'],
    ['a workbook with a password', encrypted, 'workbook_encrypted', 'without a password'],
    [
      'a part with a password',
      () => zipOf([{ name: 'a.xml', content: 'x', says: { flags: 0x801 } }]),
      'workbook_encrypted',
      'without a password',
    ],
    [
      'two parts of one name',
      () => zipOf(['a', 'b'].map((content) => ({ name: 'xl/workbook.xml', content }))),
      'workbook_damaged',
      'save it as .xlsx again',
    ],
    ['a workbook that is cut off', () => good().subarray(0, -40), 'workbook_damaged', 'save it as .xlsx again'],
    ['a workbook without sheets', () => workbookOf({ sheets: [] }), 'file_empty', 'Save the sheet again'],
  ])('%s', async (_, bytes, code, remedy) => {
    const result = await read(await bytes());
    expect(result.problems.map((problem) => problem.code)).toEqual([code]);
    expect(result.problems.map((problem) => problemWords(problem, 'page').remedy).join()).toContain(remedy);
    expect([result.isWhole, result.payouts]).toEqual([false, 0]);
  });

  function compound(stream: string): Buffer {
    return Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504), Buffer.from(stream, 'utf16le')]);
  }

  function encrypted(): Promise<Uint8Array> {
    const encryption = { password: 'secret', spinCount: 1_000 };
    return writeXlsx({ sheets: [{ name: 'Pay', rows: [HEADER.split(',')] }], encryption });
  }
});

describe('a part that does not have its checksum', () => {
  const SHEET = '<sheetData><row/></sheetData>';
  const stored = (says: { checksum?: number }) => zipOf([{ name: 'a.xml', content: SHEET, isStored: true, says }]);

  it.each<[what: string, bytes: () => Buffer]>([
    ['because that lies', () => stored({ checksum: 1 })],
    ['because that of a packed part lies', () => zipOf([{ name: 'a.xml', content: SHEET, says: { checksum: 1 } }])],
    ['because a byte of the part is another', () => withOneOther(stored({}), 'row')],
  ])('is damaged: %s', async (_, bytes) => {
    const opened = await openArchive(bytes());
    await expect(opened.ok && opened.archive.text('a.xml')).rejects.toThrow('a.xml does not have its checksum');
  });

  it('makes its workbook a damaged one', async () => {
    const bytes = workbookOf({ sheets: [{ name: 'Pay', rows: rowsOf([HEADER.split(','), row]) }], isStored: true });
    expect(placesOf(await read(bytes))).toEqual([]);
    const result = await read(withOneOther(bytes, '12.5'));
    expect(result.problems.map(({ code }) => code)).toEqual(['workbook_damaged']);
    expect([result.isWhole, result.payouts]).toEqual([false, 0]);
  });

  /** The bytes with the next character in place of the first of a text. */
  function withOneOther(bytes: Buffer, text: string): Buffer {
    const at = bytes.indexOf(text);
    expect(at).toBeGreaterThan(0);
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) + 1;
    return other;
  }
});

describe('a workbook with one damaged byte', () => {
  it('is read as it was, or refused: never read as something else', async () => {
    const bytes = good();
    const whole = await read(bytes);
    expect(placesOf(whole)).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        const result = await read(damaged);
        if (result.problemCounts.errors > 0) return;
        expect([result.rows, result.totals]).toEqual([whole.rows, whole.totals]);
      }),
      { numRuns: cases(130, 400) },
    );
  });
});
