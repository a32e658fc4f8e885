import { describe, expect, it } from 'vitest';
import type { ModulusTable } from '../../src/domain/rails/fields/gbp-modulus.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { placesOf, readAll } from './reading.ts';

/** A check of British accounts that fails in an unforeseen way at those that begin with 9. */
function brokenTable(error: Error): ModulusTable {
  return {
    get ranges(): never {
      throw error;
    },
    substitutions: null,
  };
}

const FILE = `name,amount,currency,rail,account_number,national_clearing_code
Ann,1.00,AUD,AUD_NPP,12345678,062-000
Bob,2.00,GBP,GBP_FPS,31926819,60-16-13
Cat,3.00,AUD,AUD_NPP,87654321,062-000
`;

describe('a mistake of payrun in reading a row', () => {
  it('is an error at its cell, and the other rows are read', async () => {
    const result = await readAll(FILE, { modulus: brokenTable(new TypeError('x is undefined')) });
    expect(placesOf(result)).toEqual(['E3 not_read']);
    expect(result.problems[0]).toMatchObject({
      severity: 'error',
      column: 'account_number',
      value: '31926819',
      message: 'payrun cannot read this cell; this is a mistake in payrun (TypeError: x is undefined).',
    });
    expect(result.runRows.map(({ order, problem }) => order?.payee.name ?? problem?.code)).toEqual([
      'Ann',
      'not_read',
      'Cat',
    ]);
    expect([result.isWhole, result.rows, result.payouts]).toEqual([true, 3, 2]);
  });

  it('is an error of the row where no single cell makes it', async () => {
    const limits = {
      add(order: { row: number }): never[] {
        if (order.row === 3) throw new Error('no such limit');
        return [];
      },
      finish: () => [],
    };
    const result = await readAll(FILE, { limits: limits as never });
    expect(placesOf(result)).toEqual(['row 3 not_read']);
    expect(result.payouts).toBe(2);
  });

  it('is no refusal, which a person reads', async () => {
    const refusal = new Refusal({ code: 'file_changed', name: 'pay.csv' });
    await expect(readAll(FILE, { modulus: brokenTable(refusal) })).rejects.toBe(refusal);
  });
});
