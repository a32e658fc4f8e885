import { expect, test } from 'vitest';
import { z } from 'zod';
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts';
import { ENTRIES } from '../../src/domain/entry.ts';
import { SchemaReader } from '../../src/domain/lazy/schema-reader.ts';

test('a schema reads the same before and after it is compiled', () => {
  const reader = new SchemaReader(z.strictObject({ amount: z.string().regex(/^\d+$/) }));
  for (let value = 0; value < 100; value++) {
    expect(reader.read({ amount: String(value) })).toEqual({ success: true, data: { amount: String(value) } });
    expect(reader.read({ amount: -value }).error?.issues[0]?.path).toEqual(['amount']);
  }
});

const operations = (Object.keys(OPERATIONS) as OperationName[]).flatMap((name) => [
  [`the request of ${name}`, OPERATIONS[name].request] as const,
  [`the answer of ${name}`, OPERATIONS[name].response] as const,
]);

test.each<readonly [string, z.ZodType]>([...Object.entries(ENTRIES), ...operations])(
  '%s can be compiled',
  (_, schema) => {
    expect(() => z.compile(schema, { strict: true })).not.toThrow();
  },
);
