import { describe, expect, it } from 'vitest';
import type { ExplicitColumn } from '../../src/input/header/columns.ts';
import { HEADER_ROWS } from '../../src/input/header/header-search.ts';
import { placesOf, readAll } from './reading.ts';

const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE75512108001245126199';

describe('amounts in minor units', () => {
  it.each([
    ['amount_cents', []],
    ['amountCents', []],
    ['Amount (minor)', []],
    ['Amount in paise', []],
    ['Pence', []],
    ['Betrag in Cent', []],
    ['Montant en centimes', []],
    ['Importe en céntimos', []],
    ['Valor em centavos', []],
    ['Kwota w groszach', []],
    ['amount_cents', [{ header: 'amount_cents', column: 'amount' as const }]],
    ['Pence', [{ header: 'Pence', column: 'amount' as const }]],
  ])('by %s, mapped by %j, are an error of the file alone', async (header, columns) => {
    const result = await readAll(`Name,IBAN,Currency,${header}\nAna,${IBAN},EUR,30050\n`, { columns });
    expect(result.problems.filter(({ row }) => row === 1).map(({ code }) => code)).toEqual(['amount_in_minor_units']);
    expect(result.problems[0]?.message).toContain('30050 stands for 300.50');
    expect([result.isWhole, result.payouts]).toEqual([false, 0]);
  });

  it.each([['Per cent'], ['Cents'], ['Minor'], ['Ore']])('are not meant by %s beside an amount', async (header) => {
    const result = await readAll(`Name,IBAN,Currency,Amount,${header}\nAna,${IBAN},EUR,300.50,30050\n`);
    expect([result.problemCounts.errors, result.payouts]).toEqual([0, 1]);
  });
});

describe('amounts in thousands', () => {
  it.each([
    ['Betrag in TEUR', []],
    ['Montant (k€)', []],
    ['Importe (miles de euros)', []],
    ['Amount (EUR k)', []],
    ["Amount ('000)", []],
    ['Kwota (tys. zł)', []],
    ['金额（万元）', []],
    ['Amount (in lakhs)', [{ header: 'Amount (in lakhs)', column: 'amount' as const }]],
  ])('by %s, mapped by %j, are an error of the file', async (header, columns) => {
    const result = await readAll(`Name;IBAN;Currency;${header}\nAna;${IBAN};EUR;12,5\n`, { columns });
    expect(result.problems.map(({ code }) => code)).toEqual(['amount_in_thousands']);
    expect([result.isWhole, result.payouts]).toEqual([false, 0]);
  });

  it.each([['Miles'], ['Employee k'], ['Salary band (k)'], ['Turnover in TEUR'], ['EFT']])(
    'are not meant by %s beside an amount',
    async (header) => {
      const result = await readAll(`Name,IBAN,Currency,Amount,${header}\nAna,${IBAN},EUR,300.50,17\n`);
      expect([result.problemCounts.errors, result.payouts]).toEqual([0, 1]);
    },
  );
});

describe('a second account or amount', () => {
  const THIRD_IBAN = 'ES9121000418450200051332';
  const file = (headers: string, ...rows: string[]) => [headers, ...rows].join('\n');

  it.each([
    ['New IBAN', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['IBAN (neu)', `Ana,${IBAN},60.00,EUR,${IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['IBAN 2', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['Account number 2', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,12345678`],
    ['Savings', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${IBAN}`],
  ])('by %s is a question until a person answers it', async (header, ...rows) => {
    const content = file(`Name,IBAN,Amount,Currency,${header}`, ...rows);
    const asked = await readAll(content);
    expect([placesOf(asked), asked.payouts]).toEqual([['B1 account_or_other'], 0]);
    expect(asked.problems[0]?.remedy).toContain(`--column "${header}=account_number" --column "IBAN="`);
    for (const columns of [[{ header: 'IBAN', column: 'account_number' as const }], [{ header, column: null }]])
      expect((await readAll(content, { columns })).payouts).toBe(2);
  });

  it.each([
    ['Old IBAN', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${IBAN}`],
    ['Our account', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['IBAN again', `Ana,${IBAN},60.00,EUR,${IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${OTHER_IBAN}`],
    ['New IBAN', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,`],
    ['Debtor IBAN', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${IBAN}`],
    ['Account code', `Ana,${IBAN},60.00,EUR,4400`, `Bo,${OTHER_IBAN},6.00,EUR,4500`],
  ])('is not meant by %s', async (header, ...rows) => {
    expect((await readAll(file(`Name,IBAN,Amount,Currency,${header}`, ...rows))).payouts).toBe(2);
  });

  /** More rows than those by which a file is judged as a whole. */
  const ROWS = 2 * HEADER_ROWS;

  /** A file of so many rows, of which the last has another last cell. */
  const long = (headers: string, cells: string, usual: string, last: string) => {
    const row = (at: number) => `P${at},${IBAN},${cells},EUR,${at === ROWS ? last : usual === 'IBAN' ? IBAN : usual}`;
    return file(headers, ...Array.from({ length: ROWS }, (_, at) => row(at + 1)));
  };

  it.each([
    ['New IBAN', 'account_or_other', '', THIRD_IBAN],
    ['Account number 2', 'account_or_other', '', '12345678'],
    ['Savings', 'account_or_other', '', THIRD_IBAN],
    ['Again', 'account_or_other', 'IBAN', THIRD_IBAN],
    ['Amount 2', 'amount_or_other', '', '5.00'],
    ['Bonus (EUR)', 'amount_or_other', '', '5.00'],
    ['Deductions', 'amount_before_deductions', '0.00', '5.00'],
  ])('by %s further down is an error of its row', async (header, code, usual, last) => {
    const amount = header.includes('EUR') ? 'Amount (EUR)' : 'Amount';
    const content = long(`Name,IBAN,${amount},Currency,${header}`, '60.00', usual, last);
    const result = await readAll(content);
    expect(placesOf(result).filter((place) => place.includes(code))).toEqual([`E${ROWS + 1} ${code}`]);
    expect(result.payouts).toBe(ROWS - 1);
    expect((await readAll(content, { columns: [{ header, column: null }] })).payouts).toBe(ROWS);
  });

  it.each([
    ['Notes', '', 'see 12345678'],
    ['Old IBAN', '', THIRD_IBAN],
    ['Again', 'IBAN', ''],
    ['Deductions', '0.00', '0'],
  ])('is not meant by %s further down', async (header, usual, last) => {
    expect((await readAll(long(`Name,IBAN,Amount,Currency,${header}`, '60.00', usual, last))).payouts).toBe(ROWS);
  });

  it.each([
    ['Amount 2', 'Amount', '60.00', '5.00', ''],
    ['Total', 'Amount,VAT', '60.00,12.00', '72.00', '6.00'],
    ['Balance to pay', 'Net pay,Advance', '60.00,12.00', '48.00', '6.00'],
    ['Restzahlung', 'Nettolohn,Vorschuss', '60.00,12.00', '48.00', '6.00'],
  ])('%s beside %s is a question', async (header, before, amounts, result, other) => {
    const content = file(
      `Name,IBAN,Currency,${before},${header}`,
      `Ana,${IBAN},EUR,${amounts},${result}`,
      `Bo,${OTHER_IBAN},EUR,6.00${before.includes(',') ? ',' : ''},${other}`,
    );
    const asked = await readAll(content);
    expect(asked.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'amount_or_other',
    ]);
    expect((await readAll(content, { columns: [{ header, column: null }] })).payouts).toBe(2);
  });

  it.each([
    ['what it is the sum of', 'Salary,Bonus,Amount', '50.00,10.00,60.00', '5.00,1.00,6.00'],
    ['a running sum', 'Amount,Cumulative', '60.00,60.00', '6.00,66.00'],
    ['hours and a rate', 'Amount,Hours,Rate', '60.00,6,10.00', '6.00,1,6.00'],
    ['nothing taken off', 'Amount,Deduction,Check', '60.00,0.00,60.00', '6.00,0.00,6.00'],
  ])('is not meant by an amount with %s', async (_, headers, first, second) => {
    const content = file(`Name,IBAN,Currency,${headers}`, `Ana,${IBAN},EUR,${first}`, `Bo,${OTHER_IBAN},EUR,${second}`);
    expect((await readAll(content)).payouts).toBe(2);
  });
});

describe('an amount whose side a column tells', () => {
  it('is paid only where it is what the payee receives', async () => {
    const file = (side: string) =>
      `Name,IBAN,Amount,Currency,Funding currency,Fixed side\nAna,${IBAN},60.00,EUR,GBP,${side}\n`;
    expect((await readAll(file('sell'))).problems.map(({ code }) => code)).toEqual(['amount_of_source_currency']);
    expect((await readAll(file('buy'))).payouts).toBe(1);
  });
});

describe('a net amount beside a gross one', () => {
  it('beside other amounts in the same currency is a question until a person answers it', async () => {
    const content = (header: string, value: string) => `Name;IBAN;Amount (EUR);${header}\nAna;${IBAN};2.50;${value}\n`;
    const asked = await readAll(content('Bonus (EUR)', '3.00'), { currency: 'EUR' });
    expect([placesOf(asked), asked.payouts]).toEqual([['C1 amount_or_other'], 0]);
    expect(asked.problems[0]?.remedy).toContain('--column "Bonus (EUR)=amount"');
    const answers: [ExplicitColumn[], string][] = [
      [[{ header: 'Amount (EUR)', column: 'amount' }], '2.50'],
      [[{ header: 'Bonus (EUR)', column: null }], '2.50'],
      [
        [
          { header: 'Bonus (EUR)', column: 'amount' },
          { header: 'Amount (EUR)', column: null },
        ],
        '3.00',
      ],
    ];
    for (const [columns, paid] of answers) {
      const { problems, totals } = await readAll(content('Bonus (EUR)', '3.00'), { currency: 'EUR', columns });
      expect([problems, totals.map(({ minor }) => minor)]).toEqual([[], [BigInt(paid.replace('.', ''))]]);
    }
    for (const [header, value] of [
      ['Bonus (USD)', '3.00'],
      ['Bonus', '3.00'],
      ['Pay in EUR', 'yes'],
      ['Again (EUR)', '2.50'],
    ] as const)
      expect((await readAll(content(header, value), { currency: 'EUR' })).payouts).toBe(1);
  });

  it.each([
    ['Net Pay', 'Gross Salary'],
    ['Nettolohn', 'Bruttolohn'],
    ['Netto Auszahlung', 'Gesamtbrutto'],
    ['Net à payer', 'Salaire brut'],
    ['Salario neto', 'Salario bruto'],
    ['Valor líquido', 'Salário bruto'],
    ['Stipendio netto', 'Lordo'],
    ['Netto loon', 'Bruto loon'],
    ['Wypłata netto', 'Kwota brutto'],
  ])('%s and %s is a question until a person answers it', async (net, gross) => {
    const content = `Name;IBAN;Currency;${gross};${net}\nAna;${IBAN};EUR;3,00;2,50\n`;
    const columns: ExplicitColumn[] = [{ header: net, column: 'amount' }];
    const asked = await readAll(content);
    expect(placesOf(asked)).toEqual(['E1 amount_net_or_gross']);
    expect(asked.problems[0]?.remedy).toContain(`--column "${net}=amount"`);
    expect([asked.isWhole, asked.payouts]).toEqual([false, 0]);
    const byLetter: ExplicitColumn[] = [{ header: 'E', column: 'amount' }];
    for (const mapped of [
      { columns },
      { columns: byLetter },
      { jobColumns: columns },
      { memory: { recall: () => ({ columns }) } },
    ])
      expect((await readAll(content, mapped)).totals).toMatchObject([{ count: 1, minor: 250n }]);
  });

  it('is none where the gross one is ignored, or the amount says neither', async () => {
    const ignored: ExplicitColumn[] = [{ header: 'Gross', column: null }];
    const net = `Name,IBAN,Currency,Gross,Net pay\nAna,${IBAN},EUR,3.00,2.50\n`;
    expect((await readAll(net, { columns: ignored })).payouts).toBe(1);
    expect((await readAll(`Name,IBAN,Currency,Gross,Amount\nAna,${IBAN},EUR,3.00,2.50\n`)).payouts).toBe(1);
  });
});

describe('an amount from which something may be taken off', () => {
  const file = (headers: string, ...amounts: string[]) =>
    [
      `Name;IBAN;Currency;${headers}`,
      ...amounts.map((cells, at) => `P${at};${[IBAN, OTHER_IBAN][at]};EUR;${cells}`),
    ].join('\n');

  it.each([
    ['Amount', 'Deductions'],
    ['Payment amount', 'TDS'],
    ['Amount', 'Tax withheld'],
    ['Betrag', 'Abzüge'],
    ['Betrag', 'Vorschuss'],
    ['Montant', 'Retenue à la source'],
    ['Importe', 'Retención IRPF'],
    ['Valor', 'Descontos'],
    ['Importo', "Ritenuta d'acconto"],
    ['Bedrag', 'Inhoudingen'],
    ['Kwota', 'Potrącenia'],
    ['Částka', 'Srážky'],
    ['Tutar', 'Kesinti'],
    ['Belopp', 'Avdrag'],
    ['Сумма', 'Удержано'],
    ['金额', '扣除'],
    ['金額', '源泉徴収税'],
  ])('%s beside %s is a question until a person answers it', async (header, deduction) => {
    const content = file(`${header};${deduction}`, '60.00;12.00', '6.00;0.00');
    const asked = await readAll(content);
    expect([placesOf(asked).filter((place) => !place.includes('beside_tax')), asked.payouts]).toEqual([
      ['D1 amount_before_deductions'],
      0,
    ]);
    expect(asked.problems[0]?.remedy).toContain(`Say --column "${header}=amount" if it is`);
    for (const columns of [[{ header, column: 'amount' as const }], [{ header: deduction, column: null }]])
      expect((await readAll(content, { columns })).payouts).toBe(2);
  });

  it.each([
    ['none was', 'Amount;Deductions', '60.00;0.00', '6.00;'],
    ['the amount is net', 'Deductions;Net pay', '12.00;60.00', '1.00;6.00'],
    ['the amount is transferred', 'Abzüge;Auszahlungsbetrag', '12.00;60.00', '1.00;6.00'],
    ['it was', 'Salary;Deductions;Amount', '72.00;12.00;60.00', '6.00;0.00;6.00'],
    [
      'all of it was',
      'Base;Bonus;Tax withheld;Advance;Amount',
      '70.00;2.00;-10.00;-2.00;60.00',
      '6.00;1.00;1.00;0.00;6.00',
    ],
    ['more was before', 'Gross;Deductions;Amount', '73.00;12.00;60.00', '6.00;0.00;6.00'],
    ['it is no sum', 'Amount;Deduction code', '60.00;AB', '6.00;CD'],
  ])('but not where %s', async (_, headers, ...amounts) => {
    expect((await readAll(file(headers, ...amounts))).payouts).toBe(2);
  });
});

describe("the sender's account", () => {
  it.each(['Debit Account No', 'AUFTRAGGEBER_IBAN', 'RazorpayX Account Number', 'IBAN del ordenante'])(
    '%s is never the payee’s, not even where a person maps it',
    async (header) => {
      const content = `Name,${header},Amount,Currency\nAna,${IBAN},60.00,EUR\n`;
      expect((await readAll(content)).payouts).toBe(0);
      const mapped = await readAll(content, { columns: [{ header, column: 'account_number' }] });
      const byLetter = await readAll(content, { columns: [{ header: 'B', column: 'account_number' }] });
      for (const result of [mapped, byLetter]) expect(placesOf(result)).toEqual(['B1 account_of_sender']);
      expect([mapped.isWhole, mapped.payouts]).toEqual([false, 0]);
    },
  );
});
