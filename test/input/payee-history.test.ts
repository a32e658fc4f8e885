import { describe, expect, it } from 'vitest';
import { fault, problemAt } from '../../src/domain/problem.ts';
import { noHistory, PaidAgain, PastPayouts } from '../../src/input/checks/payee-history.ts';
import { placesOf, readAll } from './reading.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code,bic,external_account_id';
const IBAN = 'DE89370400440532013000';

/** A file of rows such as `E1,100,5501`: payee_id, amount, and an account, an IBAN in euros, or an id (`acc…`). */
function file(...rows: string[]): string {
  return [HEADER, ...rows.map(payeeRow)].join('\n');
}

function payeeRow(row: string): string {
  const [id, amount, account = ''] = row.split(',');
  if (account.startsWith('acc')) return `${id},Ana,${amount},AUD,,,,,${account}`;
  if (account.startsWith('DE')) return `${id},Ana,${amount},EUR,EUR_SEPA,${account},,COBADEFFXXX,`;
  return `${id},Ana,${amount},AUD,AUD_NPP,${account.padStart(6, '12')},062-000,,`;
}

/** What runs of these files paid, the newest first: run R1 is the newest, and of the 25th. */
async function paid(...files: string[]): Promise<PastPayouts> {
  const history = new PastPayouts();
  for (const [at, text] of files.entries()) {
    const date = Date.UTC(2026, 10, 25 - at);
    history.beginRun({
      id: `R${at + 1}`,
      at: date,
      isRehearsal: false,
      header: HEADER.split(','),
      isFinished: true,
      isSeen: true,
    });
    for (const { order } of (await readAll(text)).runRows) if (order !== null) history.add(order);
  }
  return history;
}

/** The warnings of a file, without those of its total. */
async function remarks(history: PastPayouts, ...rows: string[]): Promise<string[]> {
  const { problems } = await readAll(file(...rows), { history });
  const ofRows = problems.filter(({ row }) => row !== null);
  return ofRows.map(({ severity, cell, code, message }) => `${severity} ${cell} ${code}: ${message}`);
}

describe('an amount', () => {
  it('of ten times what the payee usually gets is remarked, with what is usual', async () => {
    const history = await paid(file('E1,120,5501'), file('E1,90,5501'), file('E1,100,5501'));
    expect(await remarks(history, 'E1,1000,5501')).toEqual([
      'warning C2 amount_unusual: This is 10 times what this payee is usually paid: 100.00 AUD, the median of the last 3 payouts.',
    ]);
    expect(await remarks(history, 'E1,999.99,5501')).toEqual([]);
  });

  it('is compared with one payout where there is no more, and with the mean of the middle two', async () => {
    expect((await remarks(await paid(file('E1,100,5501')), 'E1,2500,5501'))[0]).toContain(
      'This is 25 times what this payee is usually paid: 100.00 AUD, the one payout before.',
    );
    const history = await paid(file('E1,100,5501'), file('E1,300,5501'));
    expect((await remarks(history, 'E1,2000,5501'))[0]).toContain(
      '10 times what this payee is usually paid: 200.00 AUD',
    );
  });

  it('is compared with the last twelve payouts', async () => {
    const newer = Array.from({ length: 12 }, () => file('E1,100,5501'));
    const older = Array.from({ length: 20 }, () => file('E1,5000,5501'));
    expect(await remarks(await paid(...newer, ...older), 'E1,1000,5501')).toHaveLength(1);
    expect(await remarks(await paid(...older, ...newer), 'E1,1000,5501')).toHaveLength(0);
  });

  it('in another currency is not compared', async () => {
    expect(await remarks(await paid(file('E1,1,5501')), `E1,1000,${IBAN}`)).toEqual([]);
    const other = 'name,amount,currency,external_account_id\nAna,1000,NZD,acc1';
    expect((await readAll(other, { history: await paid(file(',1,acc1')) })).problems).toEqual([]);
  });

  it('is known by the account where the payee_id is new or missing', async () => {
    const history = await paid(file('E1,1,5501', ',1,5502'));
    expect((await remarks(history, ',10,5501', 'E2,10,5502', 'E3,10,5503')).map((text) => text.slice(8, 26))).toEqual([
      'C2 amount_unusual:',
      'C3 amount_unusual:',
    ]);
  });
});

describe('an account', () => {
  it('that is not the one of last time is remarked, both masked', async () => {
    const history = await paid(file('E1,100,12345501'), file('E1,100,12345502'));
    expect(await remarks(history, 'E1,100,12345501')).toEqual([]);
    expect(await remarks(history, 'E1,100,12345502')).toEqual([
      'warning F2 account_changed: Last time this payee was paid to ••••5501 (run R1 of 2026-11-25); now it is ••••5502.',
    ]);
    const { problems } = await readAll(file('E1,100,12345502'), { history });
    expect(problems[0]?.value).toBe('••••5502');
  });

  it('of several in the last run that paid the payee is known', async () => {
    const history = await paid(file('E2,1,5509'), file('E1,1,5501', 'E1,2,5502'), file('E1,1,5503'));
    expect(await remarks(history, 'E1,1,5502')).toEqual([]);
    expect(await remarks(history, 'E1,1,5503')).toHaveLength(1);
  });

  it('of each currency is one of its own', async () => {
    const history = await paid(file('E1,1,5501', `E1,2,${IBAN}`));
    expect(await remarks(history, 'E1,1,5501')).toEqual([]);
    expect(await remarks(history, `E1,1,${IBAN}`)).toEqual([]);
  });

  it('that was named in another way cannot be compared, and that is said', async () => {
    const history = await paid(file('E1,1,12345501', 'E2,1,acc12345502'));
    expect(await remarks(history, 'E1,1,acc12345501', 'E2,1,12345502')).toEqual([
      'warning I2 account_changed: Last time this payee was paid to ••••5501, named by its bank details (run R1 of 2026-11-25); now it is ••••5501.',
      'warning F3 account_changed: Last time this payee was paid to ••••5502, named as external_account_id (run R1 of 2026-11-25); now it is ••••5502.',
    ]);
  });

  it('without a payee_id is nobody’s to change', async () => {
    expect(await remarks(await paid(file(',1,5501')), ',1,5502')).toEqual([]);
  });
});

describe('the total of a file', () => {
  const last = [file('E1,100,5501', 'E2,100,5502', `E3,7,${IBAN}`), file('E1,5000,5501')];

  it.each([
    [
      'half of',
      ['E1,100,5501', `E3,7,${IBAN}`],
      '100.00 AUD; the last run of this kind of file paid 200.00 AUD (run R1 of 2026-11-25).',
    ],
    [
      'twice',
      ['E1,200,5501', 'E2,200,5502'],
      '400.00 AUD; the last run of this kind of file paid 200.00 AUD (run R1 of 2026-11-25).',
    ],
  ])('that is %s the last one is remarked', async (_, rows, message) => {
    const { problems } = await readAll(file(...rows), { history: await paid(...last) });
    expect(problems).toMatchObject([{ severity: 'warning', code: 'total_unusual', row: null, cell: null }]);
    expect(problems[0]?.message).toContain(message);
  });

  it.each([
    ['near the last one', file('E1,101,5501', 'E2,298,5502')],
    ['of another currency than was ever paid', 'name,amount,currency,external_account_id\nA,1,NZD,acc1'],
    ['of a file with other columns', 'name,amount,currency,external_account_id\nA,1,AUD,acc1'],
    ['of a file with an error', file('E1,100,5501', 'E2,,5502')],
  ])('%s is not', async (_, text) => {
    const { problems } = await readAll(text, { history: await paid(...last) });
    expect(problems.filter(({ code }) => code === 'total_unusual')).toEqual([]);
  });

  it('is not compared with a run that is not finished', async () => {
    const history = new PastPayouts();
    const header = HEADER.split(',');
    history.beginRun({ id: 'R1', at: 0, isRehearsal: false, header, isFinished: false, isSeen: true });
    for (const { order } of (await readAll(file('E1,1,5501'))).runRows) if (order !== null) history.add(order);
    expect((await readAll(file('E1,5,5501'), { history })).problems).toEqual([]);
  });
});

it('what is to be said of the history itself is said', async () => {
  const { problems } = await readAll(file('E1,1,5501'), {
    history: noHistory([problemAt('warning', fault('history_unreadable', { folder: 'payrun', reason: 'x' }))]),
  });
  expect(placesOf({ ...(await readAll(file('E1,1,5501'))), problems })).toEqual(['file history_unreadable']);
});

describe('payouts that a recent run made already', () => {
  const AT = Date.UTC(2026, 10, 25);

  async function history(runs: readonly { at: number; unpaid: number; text: string }[]): Promise<PastPayouts> {
    const past = new PastPayouts(new PaidAgain(AT));
    for (const [at, run] of runs.entries()) {
      const id = `R${at + 1}`;
      past.again?.beginRun({ id, at: run.at, isRehearsal: false, unpaid: run.unpaid });
      past.beginRun({ id, at: run.at, isRehearsal: false, header: [], isFinished: true, isSeen: true });
      for (const { order } of (await readAll(run.text)).runRows) if (order !== null) past.add(order);
    }
    return past;
  }

  async function said(past: PastPayouts, ...rows: string[]): Promise<string[]> {
    const { problems } = await readAll(file(...rows), { history: past });
    return problems.filter(({ code }) => code === 'paid_before').map(({ message, remedy }) => `${message} ${remedy}`);
  }

  it('are told with their rows, those that were not, and how what the run did not pay is paid', async () => {
    const paidBy = await history([{ at: AT + 1, unpaid: 1, text: file('E1,100,5501', 'E2,90,5502') }]);
    expect(await said(paidBy, 'E1,100,5501', 'E2,90,5502', 'E3,80,5503')).toEqual([
      '2 of the 3 payouts were paid by run R1 of 2026-11-25, the same amount to the same account: rows 2 and 3. Only row 4 was not. Remove what was paid unless it should be paid again. What that run did not pay is planned again by `payrun retry R1`.',
    ]);
  });

  it('are not those of another amount or account, nor those of long ago', async () => {
    const text = file('E1,100,5501');
    expect(await said(await history([{ at: AT + 1, unpaid: 0, text }]), 'E1,101,5501', 'E1,100,5502')).toEqual([]);
    expect(await said(await history([{ at: AT, unpaid: 0, text }]), 'E1,100,5501')).toEqual([]);
  });

  it('are told of each run that made some, and of the newest where two did', async () => {
    const newer = { at: AT + 2, unpaid: 0, text: file('E1,100,5501') };
    const older = { at: AT + 1, unpaid: 0, text: file('E1,100,5501', 'E2,90,5502') };
    expect(await said(await history([newer, older]), 'E1,100,5501', 'E2,90,5502')).toEqual([
      expect.stringContaining('1 of the 2 payouts was paid by run R1 '),
      expect.stringContaining('1 of the 2 payouts was paid by run R2 '),
    ]);
    const one = expect.stringContaining('The one payout was paid by run R1 ');
    expect(await said(await history([newer, older]), 'E1,100,5501')).toEqual([one]);
  });
});
