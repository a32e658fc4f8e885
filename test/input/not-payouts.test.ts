import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { IBAN, OTHER_IBAN } from './refused-lists.ts';

describe('a real run', () => {
  it('pays nothing of a statement, not even the valid rows', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'october.csv'),
      `Booking date,Payee,IBAN,Amount,Currency,Balance\n2026-10-01,Ana,${IBAN},60.00,EUR,160.00\n`,
    );
    const { exit, stdout } = await payrun(['run', 'october.csv', '--yes', '--only-valid'], { cwd });
    expect(stdout).toContain('bank_statement at A1');
    expect(exit).toBe(3);
  });

  it('leaves rows that were paid out of the valid ones', async () => {
    const cwd = temporaryFolder();
    const lines = ['Name,IBAN,Amount,Currency,Status', `Ana,${IBAN},60.00,EUR,Paid`, `Bo,${OTHER_IBAN},6.00,EUR,Open`];
    writeFileSync(join(cwd, 'october.csv'), lines.join('\n'));
    const { stdout } = await payrun(['run', 'october.csv', '--yes', '--only-valid', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ counts: { completed: 1 } });
  });
});
