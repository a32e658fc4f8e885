import { expect, test } from 'vitest';
import { messages } from '../../../src/messages/messages.ts';
import { OF_FAILURES } from '../../../src/report/iso20022/payout-reasons.ts';
import { countsOf } from '../../../src/report/model/outcome.ts';
import { FAILURES } from '../../../src/service/transfers/transfer.ts';
import { completed, exampleRun, payoutRow, problemRow, RUN_ID } from '../example-run.ts';
import { bankFile, elementsOf, textsAt } from './bank-files.ts';
import { failed, named, RUNS } from './runs.ts';

function statuses(name: string): string[] {
  return elementsOf(bankFile('pain002', RUNS[name]?.() ?? exampleRun([])), 'TxInfAndSts').map((transaction) =>
    ['TxSts', 'StsRsnInf/Rsn/Cd'].flatMap((path) => textsAt(transaction, path)).join(' '),
  );
}

test.each([
  ['all paid', 'ACSC', ['ACSC', 'ACSC', 'ACSC']],
  ['partly failed', 'PART', ['ACSC', 'RJCT AC04', 'ACSC']],
  ['all failed', 'RJCT', ['RJCT AM04', 'RJCT AM04', 'RJCT AM04']],
  [
    'every state',
    'PART',
    ['PDNG NARR', 'PDNG NARR', 'PDNG NARR', 'ACSP NARR', 'ACSC', 'RJCT AC04', 'RJCT AM03', 'PDNG NARR', 'RJCT AM12'],
  ],
  ['stopped', 'PART', ['ACSC', 'PDNG NARR', 'PDNG NARR']],
  ['cancelled', 'PART', ['ACSC', 'RJCT DS02', 'RJCT DS02']],
  ['a row with problems', 'RJCT', ['RJCT AM12']],
  ['rehearsed', 'PART', ['ACSC NARR', 'RJCT NARR', 'PDNG NARR']],
])('of a run %s: the group is %s', (name, group, transactions) => {
  expect(statuses(name)).toEqual(transactions);
  const run = RUNS[name]?.() ?? exampleRun([]);
  const [original] = elementsOf(bankFile('pain002', run), 'OrgnlGrpInfAndSts');
  expect(textsAt(original, 'GrpSts')).toEqual([group]);
  const counted = textsAt(original, 'NbOfTxsPerSts/DtldNbOfTxs').map(Number);
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(run.rows.length);
  const ofStatus = (code: string) => counted[textsAt(original, 'NbOfTxsPerSts/DtldSts').indexOf(code)] ?? 0;
  expect(ofStatus('ACSC')).toBe(countsOf(run).completed);
});

test('of a run without payouts has no status', () => {
  const [original] = elementsOf(bankFile('pain002', exampleRun([])), 'OrgnlGrpInfAndSts');
  expect(original).toEqual({ OrgnlMsgId: [RUN_ID], OrgnlMsgNmId: ['NOTPROVIDED'], OrgnlNbOfTxs: ['0'] });
});

test('names payouts by run and row, and shows no whole account number', () => {
  const row = named(payoutRow(2), 'Ada 987654321');
  const xml = bankFile('pain002', exampleRun([row], completed(2)));
  const [transaction] = elementsOf(xml, 'TxInfAndSts');
  expect(transaction).toEqual({
    OrgnlEndToEndId: [`${RUN_ID}-2`],
    TxSts: ['ACSC'],
    AcctSvcrRef: ['tx_2'],
    OrgnlTxRef: [
      {
        Amt: [{ InstdAmt: ['1250.00 AUD'] }],
        Cdtr: [{ Pty: [{ Nm: ['Ada ••••4321'] }] }],
        CdtrAcct: [{ Id: [{ Othr: [{ Id: ['XXXX4321'] }] }] }],
      },
    ],
  });
  expect(xml).not.toContain('987654321');
});

test("names payouts by the payer's own ids where the input has them", () => {
  const header = ['name', 'message_id', 'payment_information_id', 'instruction_id', 'end_to_end_id'];
  const columns = ['name', null, null, null, null];
  const cells = [
    ['A', 'MSG-1', 'PMT-1', 'I-1', 'E2E-1'],
    ['B', 'MSG-1', 'PMT-1', '', 'NOTPROVIDED'],
    ['C', 'MSG-1', 'PMT-2', '', 'ä'.repeat(40)],
  ];
  const rows = cells.map((own, at) => payoutRow(at + 2, { cells: own }));
  const xml = bankFile('pain002', exampleRun(rows, completed(2), { header, columns }));
  const [original] = elementsOf(xml, 'OrgnlGrpInfAndSts');
  expect(textsAt(original, 'OrgnlMsgId')).toEqual(['MSG-1']);
  expect(textsAt(original, 'OrgnlMsgNmId')).toEqual(['NOTPROVIDED']);
  const groups = elementsOf(xml, 'OrgnlPmtInfAndSts');
  expect(groups.map((group) => textsAt(group, 'OrgnlPmtInfId'))).toEqual([['PMT-1'], ['PMT-2']]);
  expect(groups.map((group) => textsAt(group, 'TxInfAndSts/OrgnlEndToEndId'))).toEqual([
    ['E2E-1', `${RUN_ID}-3`],
    [expect.stringMatching(/^ä{18}-[0-9a-f]{16}$/)],
  ]);
  expect(textsAt(groups[0], 'TxInfAndSts/OrgnlInstrId')).toEqual(['I-1']);
});

test('names the message with its version where the input says it, and else none', () => {
  const nameOf = (header: string[], cells: string[]) => {
    const columns = header.map(() => null);
    const xml = bankFile('pain002', exampleRun([payoutRow(2, { cells })], completed(2), { header, columns }));
    return textsAt(elementsOf(xml, 'OrgnlGrpInfAndSts')[0], 'OrgnlMsgNmId');
  };
  expect(nameOf(['message_id', 'message_name'], ['M-1', 'pain.001.001.09'])).toEqual(['pain.001.001.09']);
  expect(nameOf(['MsgId', 'MsgNmId'], ['M-1', 'x'.repeat(40)])).toEqual(['x'.repeat(35)]);
  // The run is no message.
  expect(nameOf(['message_name'], ['pain.001.001.09'])).toEqual(['NOTPROVIDED']);
  expect(nameOf(['message_id', 'message_name'], ['M-1', ''])).toEqual(['NOTPROVIDED']);
});

test('gives reasons in lines that fit, and what has no code in words', () => {
  const said = `${'word '.repeat(60)}${'x'.repeat(300)}`;
  const rows = [2, 3, 4].map((row) => payoutRow(row));
  const run = exampleRun(rows, [
    ...failed(2, 'NEW_CODE', said),
    ...failed(3, 'REJECTED_BY_BANK'),
    ...failed(4, '__proto__'),
  ]);
  const transactions = elementsOf(bankFile('pain002', run), 'TxInfAndSts');
  expect(transactions.flatMap((one) => textsAt(one, 'StsRsnInf/Rsn/Cd'))).toEqual(['NARR', 'MS03', 'NARR']);
  const lines = textsAt(transactions[0], 'StsRsnInf/AddtlInf');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(105);
  expect(lines.join('').replaceAll(' ', '')).toBe(said.replaceAll(' ', ''));
});

test('has a reason for everything that the shipped service reports', () => {
  expect(Object.keys(OF_FAILURES)).toEqual(Object.keys(FAILURES).toSorted());
});

test.each([
  ['iban_checksum', 'AC01'],
  ['bic_invalid', 'RC01'],
  ['sort_code_missing', 'RC04'],
  ['name_missing', 'BE22'],
  ['paid_before', 'AM05'],
  ['cooling_off', 'DS0A'],
  ['transaction_code_other', 'AG02'],
  ['field_invalid', 'CH16'],
  ['element_invalid', 'CH16'],
  ['element_unexpected', 'CH17'],
  ['amount_equivalent', 'CH17'],
  ['element_missing', 'CH21'],
  ['clearing_system_other', 'RC04'],
  ['of_a_later_version', 'NARR'],
])('of a row with %s has the reason %s', (code, reason) => {
  const run = exampleRun([problemRow(2, ['A', '', '', '', ''], { code, message: 'In words.' })]);
  const [transaction] = elementsOf(bankFile('pain002', run), 'TxInfAndSts');
  expect(transaction).toEqual({
    OrgnlEndToEndId: [`${RUN_ID}-2`],
    TxSts: ['RJCT'],
    StsRsnInf: [{ Rsn: [{ Cd: [reason] }], AddtlInf: ['In words.'] }],
  });
});

test('says of a crypto asset what it is in words alone', () => {
  const transactions = elementsOf(bankFile('pain002', RUNS.crypto?.() ?? exampleRun([])), 'TxInfAndSts');
  expect(transactions.map((one) => textsAt(one, 'OrgnlTxRef/Amt/InstdAmt'))).toEqual([['1250.00 AUD'], []]);
  expect(textsAt(transactions[1], 'StsRsnInf/AddtlInf').join(' ')).toContain('12.500000 USDC on polygon');
});

test('of a rehearsal says so', () => {
  const xml = bankFile('pain002', RUNS.rehearsed?.() ?? exampleRun([]));
  const band = messages.outcomes.rehearsalBand();
  const [original] = elementsOf(xml, 'OrgnlGrpInfAndSts');
  expect(textsAt(original, 'StsRsnInf/AddtlInf')).toEqual([band]);
  for (const one of elementsOf(xml, 'TxInfAndSts'))
    expect(textsAt(one, 'StsRsnInf/AddtlInf').join(' ')).toContain(band);
});
