import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generatePain001 } from '../../support/generate-pain001.ts';
import { payrunAlone, temporaryFolder } from '../../support/payrun.ts';

/** The payments of the file, with their cells, would take more. */
const HEAP_MIB = 32;
const PAYMENTS = 25_000;

it(`a pain.001 of ${PAYMENTS} payments is checked in a heap of ${HEAP_MIB} MiB`, { timeout: 120_000 }, async () => {
  const cwd = temporaryFolder();
  await generatePain001(join(cwd, 'payments.xml'), PAYMENTS);
  // A small young generation: otherwise, on a busy machine, uncollected young objects would dominate.
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} --max-semi-space-size=1` };
  const { exit, stdout, stderr } = await payrunAlone(['check', 'payments.xml', '--json'], { cwd, env });
  expect([exit, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ format: 'pain.001.001.03', rows: PAYMENTS, payouts: PAYMENTS });
});
