import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMajor } from '../../../src/domain/money.ts';
import type { RunState } from '../../../src/domain/run/run-state.ts';
import { decimalText, isoAmount, isoRate } from '../../../src/report/iso20022/iso-amounts.ts';
import { idText } from '../../../src/report/iso20022/iso-ids.ts';
import { countsOf } from '../../../src/report/model/outcome.ts';
import { totalsOf } from '../../../src/report/model/totals.ts';
import { AUD, completed, exampleRun, JPY, payoutRow, RUN_ID, USDC } from '../example-run.ts';
import { bankFile, elementsOf, textsAt } from './bank-files.ts';
import { failed, money, RUNS } from './runs.ts';

const of = (name: string): RunState => RUNS[name]?.() ?? exampleRun([]);

test('has an entry for each payout that was completed, and for no other', () => {
  const [notification, ...others] = elementsOf(bankFile('camt054', of('partly failed')), 'Ntfctn');
  expect(others).toEqual([]);
  expect(textsAt(notification, 'Ntry/NtryRef')).toEqual([`${RUN_ID}-2`, `${RUN_ID}-4`]);
  expect(notification?.TxsSummry).toEqual([
    { TtlNtries: [{ NbOfNtries: ['2'], Sum: ['2500.00'] }], TtlDbtNtries: [{ NbOfNtries: ['2'], Sum: ['2500.00'] }] },
  ]);
  expect(notification?.Ntry?.[0]).toEqual({
    NtryRef: [`${RUN_ID}-2`],
    Amt: ['1250.00 AUD'],
    CdtDbtInd: ['DBIT'],
    Sts: ['BOOK'],
    BookgDt: [{ Dt: ['2026-11-25'] }],
    AcctSvcrRef: ['tx_2'],
    BkTxCd: [{ Domn: [{ Cd: ['PMNT'], Fmly: [{ Cd: ['ICDT'], SubFmlyCd: ['DMCT'] }] }] }],
    NtryDtls: [
      {
        TxDtls: [
          {
            Refs: [
              {
                MsgId: [RUN_ID],
                AcctSvcrRef: ['tx_2'],
                PmtInfId: [RUN_ID],
                EndToEndId: [`${RUN_ID}-2`],
                TxId: ['tx_2'],
              },
            ],
            Amt: ['1250.00 AUD'],
            CdtDbtInd: ['DBIT'],
            Chrgs: [
              {
                TtlChrgsAndTaxAmt: ['0.35 AUD'],
                Rcrd: [{ Amt: ['0.35 AUD'], CdtDbtInd: ['DBIT'], ChrgInclInd: ['false'] }],
              },
            ],
            RltdPties: [{ Cdtr: [{ Nm: ['Payee 2'] }], CdtrAcct: [{ Id: [{ Othr: [{ Id: ['XXXX4321'] }] }] }] }],
          },
        ],
      },
    ],
  });
});

test('states what left the account, what arrived, and the rate', () => {
  const entries = elementsOf(bankFile('camt054', of('converted')), 'Ntry');
  expect(entries.flatMap((entry) => textsAt(entry, 'Amt'))).toEqual(['1000.00 EUR', '250000 JPY']);
  expect(entries.map((entry) => textsAt(entry, 'NtryDtls/TxDtls/AmtDtls/InstdAmt/Amt'))).toEqual([
    ['1150.12 AUD'],
    ['16.12 EUR'],
  ]);
  const exchanges = elementsOf(bankFile('camt054', of('converted')), 'CcyXchg');
  expect(exchanges).toEqual([
    { SrcCcy: ['EUR'], TrgtCcy: ['AUD'], UnitCcy: ['EUR'], XchgRate: ['1.15012'] },
    { SrcCcy: ['JPY'], TrgtCcy: ['EUR'], UnitCcy: ['JPY'], XchgRate: ['0.00006448'] },
  ]);
});

test('leaves out what has no currency of ISO 4217, or too many digits, and says so', () => {
  const crypto = bankFile('camt054', of('crypto'));
  expect(elementsOf(crypto, 'Ntry')).toHaveLength(1);
  expect(crypto).not.toContain('Ccy="USDC"');
  expect(textsAt(elementsOf(crypto, 'GrpHdr')[0], 'AddtlInf')).toEqual([
    '1 payout left out, because ISO 20022 cannot state the amount: USDC on polygon.',
  ]);
  const decimals = elementsOf(bankFile('camt054', of('other decimals')), 'Ntry');
  expect(decimals.flatMap((entry) => textsAt(entry, 'Amt'))).toEqual(['1500 JPY', '1234.567 KWD']);
});

test('of a run that paid nothing has no entry', () => {
  const xml = bankFile('camt054', of('all failed'));
  expect(elementsOf(xml, 'Ntry')).toEqual([]);
  expect(textsAt(elementsOf(xml, 'Ntfctn')[0], 'TxsSummry/TtlNtries/NbOfNtries')).toEqual(['0']);
});

test('of a rehearsal is for information: nothing is booked', () => {
  const xml = bankFile('camt054', of('rehearsed'));
  expect(elementsOf(xml, 'Ntry').flatMap((entry) => textsAt(entry, 'Sts'))).toEqual(['INFO']);
  expect(textsAt(elementsOf(xml, 'GrpHdr')[0], 'AddtlInf')).toEqual(['REHEARSAL: no money moves.']);
});

test('the same journal gives the same bytes', () => {
  for (const kind of ['pain002', 'camt054'] as const)
    expect(bankFile(kind, of('every state'))).toBe(bankFile(kind, of('every state')));
});

const CURRENCIES = [AUD, JPY, USDC, money('KWD'), money('EUR'), money('CLF')];

test('counts and sums are those of the report', () => {
  const payout = fc.record({
    minor: fc.bigInt(1n, 10n ** 14n).map(String),
    currency: fc.constantFrom(...CURRENCIES),
    isPaid: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(payout, { maxLength: 30 }), (payouts) => {
      const rows = payouts.map(({ minor, currency }, at) => payoutRow(at + 2, { amountMinor: minor, currency }));
      const run = exampleRun(
        rows,
        payouts.flatMap(({ minor, currency, isPaid }, at) =>
          isPaid ? completed(at + 2, { amountMinor: minor, currency }) : failed(at + 2, 'ACCOUNT_CLOSED'),
        ),
      );
      const notifications = elementsOf(bankFile('camt054', run), 'Ntfctn');
      const sums = notifications.flatMap((one) =>
        textsAt(one, 'Acct/Ccy').map((currency) => [currency, textsAt(one, 'TxsSummry/TtlDbtNtries/Sum')[0]]),
      );
      const expected = totalsOf(run).flatMap(({ currency, sent }) =>
        currency === 'USDC on polygon' || /^[0.]+$/.test(sent) ? [] : [[currency, sent]],
      );
      expect(sums.toSorted()).toEqual(expected.toSorted());
      const entries = notifications.flatMap((one) => textsAt(one, 'Ntry/NtryRef'));
      const ofCrypto = payouts.filter(({ currency, isPaid }) => isPaid && currency.chain !== null).length;
      expect(entries).toHaveLength(countsOf(run).completed - ofCrypto);
      expect(elementsOf(bankFile('pain002', run), 'TxInfAndSts')).toHaveLength(rows.length);
    }),
    { numRuns: 60 },
  );
});

test('an amount has the decimals of its currency, and is never another', () => {
  const currency = fc.constantFrom(...CURRENCIES.filter(({ chain }) => chain === null));
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 20n), currency, (minor, of) => {
      const amount = isoAmount(String(minor), of);
      const plain = formatMajor(minor, of.decimals);
      if (amount === null) expect(plain.replace('.', '').length).toBeGreaterThan(18);
      else expect(decimalText(amount)).toBe(plain);
    }),
  );
  // What a service states in other decimals than ISO 4217 has.
  expect(decimalText(isoAmount('12', { ...AUD, decimals: 0 }) ?? { currency: 'AUD', units: -1n })).toBe('12.00');
  expect(decimalText(isoAmount('12345000', { ...AUD, decimals: 6 }) ?? { currency: 'AUD', units: -1n })).toBe('12.345');
  expect(isoAmount('1', { ...AUD, decimals: 6 })).toBeNull();
  expect(isoAmount('1', { code: 'ETH', chain: null, decimals: 2 })).toBeNull();
  expect(isoAmount('-1', AUD)).toBeNull();
});

test('a rate fits its element', () => {
  const units = fc.bigInt(1n, 10n ** 18n);
  fc.assert(
    fc.property(units, units, (sent, received) => {
      const rate = isoRate({ currency: 'EUR', units: sent }, { currency: 'AUD', units: received });
      if (rate !== null) expect(rate).toMatch(/^(?=[0-9.]{1,12}$)\d+(?:\.\d{1,10})?$/);
    }),
  );
});

test('an id that fits stays what it is, and others stay apart', () => {
  const text = fc.string({ maxLength: 60, unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(idText(one).length).toBeLessThanOrEqual(35);
      if (one !== other) expect(idText(one)).not.toBe(idText(other));
      expect(idText(one)).toBe(idText(one));
    }),
  );
  expect(idText('txn_01jd2x3v9qk7m5p0h8rc')).toBe('txn_01jd2x3v9qk7m5p0h8rc');
});
