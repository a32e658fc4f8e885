import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';

/** The lines that `check` prints to be copied, each as its words, and a way to run them in a folder of their own. */
async function answersTo(content: string, ...given: string[]) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'pay.csv'), content);
  const asked = await payrun(['check', 'pay.csv', ...given], { cwd });
  const lines = asked.stdout.split('\n').filter((line) => line.startsWith('  payrun check pay.csv'));
  const words = lines.map((line) =>
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  );
  return {
    asked,
    lines: lines.map((line) => line.trim()),
    run: (at: number) => payrun(words[at]?.slice(1) ?? [], { cwd }),
  };
}

const US = 'Routing Number,Account Number';
const US_ROW = '021000021,9876543210';

describe('a file that asks for several things', () => {
  it('gets one line with the currency that it implies and the rail that is asked for then', async () => {
    const { asked, lines, run } = await answersTo(`Employee Name,Amount,${US}\nJane Smith,4000.00,${US_ROW}\n`);
    expect([asked.exit, lines]).toEqual([3, ['payrun check pay.csv --currency USD --default-rail USD=USD_ACH']]);
    expect(asked.stdout).toContain('If all of that is right, this answers it at once:');
    expect(asked.stdout).toContain('USD_WIRE can pay USD too, in place of USD_ACH.');
    expect((await run(0)).exit).toBe(0);
  });

  it('gets one line for each alternative, and each of them is enough', async () => {
    const header = `Employee Name,Net Pay,Direct Deposit Amount,${US}`;
    const { lines, run, asked } = await answersTo(`${header}\nJane Smith,4200.00,4000.00,${US_ROW}\n`);
    const others = '--currency USD --default-rail USD=USD_ACH';
    expect(lines).toEqual([
      `payrun check pay.csv --column 'Net Pay=amount' --column 'Direct Deposit Amount=' ${others}`,
      `payrun check pay.csv --column 'Direct Deposit Amount=amount' --column 'Net Pay=' ${others}`,
    ]);
    expect(asked.stdout).toContain('Each of these answers all of it at once; take the one that is right:');
    for (const [at, amount] of [
      [0, '4,200.00'],
      [1, '4,000.00'],
    ] as const) {
      const { exit, stdout } = await run(at);
      expect([exit, stdout]).toEqual([0, expect.stringContaining(amount)]);
    }
  });

  it.each([
    [
      'net and gross',
      'Name,Gross Pay,Net Pay,Sort Code,Account Number',
      'Jane Smith,5000.00,4000.00,601613,31926819',
      2,
    ],
    ['a word of several meanings', 'Name;Offener Betrag;IBAN', 'Jane;60,00;DE89370400440532013000', 1],
    ['two references', 'Beneficiario;Importe;IBAN;Concepto;Referencia', 'Ana;60,00;DE89370400440532013000;a;b', 2],
  ])('is answered at once: %s', async (_, header, row, count) => {
    const { lines, run } = await answersTo(`${header}\n${row}\n`);
    expect(lines).toHaveLength(count);
    for (const at of lines.keys()) expect((await run(at)).exit).toBe(0);
  });

  it('keeps what was given', async () => {
    const header = `Employee Name,Net Pay,Direct Deposit Amount,${US},Note`;
    const row = `Jane Smith,4200.00,4000.00,${US_ROW},x`;
    const { lines } = await answersTo(`${header}\n${row}\n`, '--column', 'Note=', '--currency', 'USD');
    expect(lines[1]).toBe(
      "payrun check pay.csv --column Note= --column 'Direct Deposit Amount=amount' --column 'Net Pay=' --currency USD --default-rail USD=USD_ACH",
    );
  });

  it.each([
    [
      'it is asked which of two is the amount alone',
      'Name,IBAN,Amount,VAT,Total,Currency',
      'A,DE89370400440532013000,6,1,7,EUR',
    ],
    ['one of two is not enough', 'Name,IBAN,New IBAN,Net Pay,Gross Pay', 'A,DE89370400440532013000,DE00,60,70'],
    ['one thing is asked', 'Name,Sort Code,Account Number,Amount', 'Jane Smith,601613,31926819,60.00'],
    ['nothing implies the currency', 'Name,Net Pay,Amount due,external_account_id', 'Jane Smith,60.00,60.01,a'],
    ['no rail pays it', 'Name,Net Pay,Amount due,Bankgiro', 'Jane Smith,60.00,60.01,123-4567'],
    ['it is no list of payouts', `Zahlungspflichtiger;IBAN;Betrag`, 'Ana;DE89370400440532013000;60,00'],
    ['its rows are wrong', `Name,Net Pay,Amount due,Sort Code,Account Number`, 'Jane Smith,60.00,60.01,6016,319'],
  ])('gets none where %s', async (_, header, row) => {
    const { asked, lines } = await answersTo(`${header}\n${row}\n`);
    expect([asked.exit, lines]).toEqual([3, []]);
  });

  it('is not printed with --quiet or --json', async () => {
    const content = `Employee Name,Amount,${US}\nJane Smith,4000.00,${US_ROW}\n`;
    expect((await answersTo(content, '--quiet')).lines).toEqual([]);
    expect((await answersTo(content, '--json')).lines).toEqual([]);
  });
});
