import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExplicitColumns } from '../../src/compose/named-input.ts';
import { ColumnMemory, HEADER_SETS_MAX } from '../../src/input/header/column-memory.ts';
import type { ExplicitColumn } from '../../src/input/header/columns.ts';
import { COLUMN_NAMES } from '../../src/input/header/synonyms.ts';
import { columnOption } from '../../src/messages/problems/header-text.ts';
import { temporaryFolder } from '../support/payrun.ts';

const WEN: ExplicitColumn = { header: 'Wen', column: 'name' };

function path(): string {
  return join(temporaryFolder(), 'data', 'columns.json');
}

describe('what was said of headers', () => {
  it('is written for the owner alone, with nothing left beside it', () => {
    const file = path();
    const memory = ColumnMemory.open(file);
    memory.remember(['Wen', 'Was'], { columns: [WEN] });
    memory.save();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['columns.json']);
  });

  it('is not written where nothing is new', () => {
    const file = path();
    const memory = ColumnMemory.open(file);
    memory.remember(['Wen', 'Was'], { columns: [WEN] });
    memory.save();
    const before = statSync(file).ino;
    const again = ColumnMemory.open(file);
    again.remember(['Was', 'wen'], { columns: [WEN] });
    again.forget(['Wer']);
    again.save();
    expect(statSync(file).ino).toBe(before);
  });

  it('is about its headers only, of which none may be missing or new', () => {
    const memory = ColumnMemory.open(path());
    memory.remember(['Wen', 'Was'], { columns: [WEN] });
    expect(memory.recall([' WAS', 'wen', '']).columns).toEqual([WEN]);
    for (const other of [['Wen'], ['Wen', 'Was', 'Wo'], ['Was', 'Wo'], []])
      expect(memory.recall(other).columns).toEqual([]);
  });

  it('adds up; of one header, and of one column, the last counts', () => {
    const memory = ColumnMemory.open(path());
    const headers = ['Wen', 'Was', 'Wo'];
    memory.remember(headers, { columns: [WEN, { header: 'Wo', column: null }], currency: 'GBP' });
    memory.remember(headers, { columns: [{ header: 'Was', column: 'name' }] });
    expect(memory.recall(headers)).toEqual({
      columns: [
        { header: 'Wo', column: null },
        { header: 'Was', column: 'name' },
      ],
      currency: 'GBP',
    });
    memory.remember(headers, { columns: [], currency: 'EUR' });
    expect(memory.recall(headers).currency).toBe('EUR');
  });

  it('is of so many sets of headers; the one of longest ago goes first', () => {
    const memory = ColumnMemory.open(path());
    for (let at = 0; at < HEADER_SETS_MAX; at++)
      memory.remember([`Wen ${at}`], { columns: [{ ...WEN, header: `Wen ${at}` }] });
    memory.remember(['Wen 0'], { columns: [{ header: 'Wen 0', column: 'payee_id' }] });
    memory.remember(['Wen'], { columns: [WEN] });
    expect(memory.recall(['Wen 0']).columns).toHaveLength(1);
    expect(memory.recall(['Wen 1']).columns).toEqual([]);
    expect(memory.recall(['Wen 2']).columns).toHaveLength(1);
  });

  it('comes back from the file as it went in', () => {
    const header = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
    const column = fc.option(fc.constantFrom(...COLUMN_NAMES));
    fc.assert(
      fc.property(fc.uniqueArray(header, { minLength: 1, maxLength: 6 }), column, (headers, named) => {
        const file = path();
        const memory = ColumnMemory.open(file);
        const said = [{ header: headers[0] ?? '', column: named }];
        memory.remember(headers, { columns: said, currency: 'BRL' });
        memory.save();
        const again = ColumnMemory.open(file);
        expect(again.damage).toBeNull();
        expect(again.recall([...headers].reverse())).toEqual({ columns: said, currency: 'BRL' });
      }),
      { numRuns: 50 },
    );
  });

  it('is empty where the file is as large as no memory is', () => {
    const file = join(temporaryFolder(), 'columns.json');
    writeFileSync(file, ' '.repeat(9 * 1024 * 1024));
    const memory = ColumnMemory.open(file);
    expect(memory.damage).toEqual({ why: 'too_large' });
    expect(memory.recall([]).columns).toEqual([]);
  });
});

describe('an option for a column', () => {
  it('may be of a header with = in it', () => {
    expect(readExplicitColumns(['a=b=name', 'x==', '  Wen  = name '])).toEqual([
      { header: 'a=b', column: 'name' },
      { header: 'x=', column: null },
      WEN,
    ]);
  });

  it('may be said twice', () => {
    expect(readExplicitColumns(['Wen=name', 'WEN=name'])).toHaveLength(1);
  });

  it('is shown so that a shell takes it as it is', () => {
    expect(columnOption('say "$5" `now`', 'amount')).toBe('--column "say \\"\\$5\\" \\`now\\`=amount"');
  });
});
