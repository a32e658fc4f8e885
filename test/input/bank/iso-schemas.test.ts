import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { type BankPayment, pain001File } from '../../support/bank-files.ts';

const FOLDER = process.env.ISO20022_SCHEMAS ?? '';

/** The schemas may not be kept here: `.ci/iso20022-schemas` fetches them. */
const WHY_SKIPPED =
  FOLDER === '' || !existsSync(FOLDER) ? 'ISO20022_SCHEMAS names no folder with the schemas' : hasXmllint();

function hasXmllint(): string | null {
  try {
    execFileSync('xmllint', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'xmllint is not installed';
  }
}

const PAYMENTS: BankPayment[] = [
  { name: 'Jürgen & Söhne', minor: 115n, account: 'DE89370400440532013000', bank: 'COBADEFFXXX', reference: 'Lohn' },
  { name: 'Ana', minor: 123456n, account: '12345678', bank: '', reference: '' },
];

describe.skipIf(WHY_SKIPPED !== null)(`our files of ISO 20022 (${WHY_SKIPPED ?? 'by xmllint'})`, () => {
  test.each(['03', '09'] as const)('pain.001.001.%s is valid by the schema', (version) => {
    for (const prefix of ['', 'p']) {
      const schema = `${FOLDER}/pain.001.001.${version}.xsd`;
      const check = () =>
        execFileSync('xmllint', ['--noout', '--schema', schema, '-'], {
          input: pain001File(PAYMENTS, { version, prefix }),
          stdio: ['pipe', 'ignore', 'ignore'],
        });
      expect(check).not.toThrow();
    }
  });
});
