import { describe, expect, it } from 'vitest';
import { placesOf, readAll } from './reading.ts';

const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE75512108001245126199';

describe('the number of an account at a building society', () => {
  const head = 'Name,Sort code,Account number,Amount,Currency';
  const row = 'Ana,601613,31926819,60.00,GBP';

  it.each(['Roll Number', 'Roll No', 'Building society reference', 'Building Society Roll Number'])(
    'in %s is an error of its row until a person says that it is the reference',
    async (header) => {
      const content = `${head},Reference,${header}\n${row},,123/456-7\n${row.replace('Ana', 'Bo')},PAY,\n`;
      const asked = await readAll(content);
      expect(placesOf(asked).filter((place) => place.includes('roll'))).toEqual(['G2 roll_number_unused']);
      expect(asked.payouts).toBe(1);
      const remedy = `${header}|Reference`;
      expect(asked.problems.some((problem) => problem.remedy.includes(`--column "${remedy}=reference"`))).toBe(true);
      const answered = await readAll(content, { columns: [{ header: remedy, column: 'reference' }] });
      expect(answered.runRows.map(({ order }) => order?.reference)).toEqual(['123/456-7', 'PAY']);
      expect((await readAll(content, { columns: [{ header, column: null }] })).payouts).toBe(2);
    },
  );

  it('is not meant by the number of a pupil', async () => {
    expect((await readAll(`Name,IBAN,Amount,Currency,Roll No\nAna,${IBAN},60.00,EUR,12\n`)).payouts).toBe(1);
  });
});

function dated(header: string): [string, string] {
  return [header, '2026-10-30'];
}

describe('a row that was paid', () => {
  const header = (status: string) => `Name,IBAN,Amount,Currency,${status}`;
  const rows = (status: string) => [`Ana,${IBAN},60.00,EUR,${status}`, `Bo,${OTHER_IBAN},6.00,EUR,Pending`];

  it.each([
    ['Status', 'PAID'],
    ['Status', 'Completed'],
    ['State', 'completed'],
    ['Payment status', 'Processed'],
    ['Status', '✓ Paid 2026-10-30'],
    ['Zahlungsstatus', 'bezahlt am 30.10.2026'],
    ['Statut', 'Payé'],
    ['Estado', 'Pagado'],
    ['Situação', 'Pago'],
    ['Stato', 'Pagato'],
    ['Betaalstatus', 'Betaald'],
    ['Status płatności', 'Zrealizowane'],
    ['状态', '已完成'],
    ['狀態', '已付款'],
    ['Stav platby', 'Zaplaceno'],
    ['Ödeme durumu', 'Ödendi'],
    ['Paid', 'yes'],
    ['Bezahlt', 'x'],
    ['Paid', '2026-10-30'],
    ['Paid date', '2026-10-30T09:00:00Z'],
    ['Date paid', '30/10/2026'],
    ['Bezahlt am', '30.10.2026'],
    ['Paid on', '30 Oct 2026'],
    ['Paid at', 'Oct 30 2026 9:00'],
    ['Paid on', '46325'],
    ...['Paid On Date', 'Settled at', 'Überwiesen am', 'Payé le', 'Pagado el', 'Pago em', 'Pagato il'].map(dated),
    ...['Betaald op', 'Zapłacono dnia', 'Zaplaceno dne', 'Ödendiği tarih', 'Betald den', 'Betalt den'].map(dated),
    ...[
      'Maksettu pvm',
      'Plătit la',
      '已付款日期',
      '支払済日',
      '지급완료일',
      'Đã thanh toán ngày',
      'Tanggal dibayar',
    ].map(dated),
    ['Статус', 'Оплачено'],
    ['ステータス', '支払済み'],
    ['상태', '지급완료'],
    ['Trạng thái', 'Đã thanh toán'],
    ['الحالة', 'تم الدفع'],
    ['UTR Number', 'HDFCN52026103012345678'],
    ['Tx hash', `0x${'ab12'.repeat(16)}`],
  ])('by %s: %s is an error, and the others are paid', async (status, text) => {
    const result = await readAll([header(status), ...rows(text)].join('\n'));
    expect(placesOf(result)).toEqual(['E2 row_paid_already']);
    expect([result.isWhole, result.payouts]).toEqual([true, 1]);
  });

  it.each([
    ['Status', 'Unpaid'],
    ['Status', 'not paid'],
    ['Status', 'Active'],
    ['Status', 'Approved'],
    ['Status', 'Sent'],
    ['Paid', 'no'],
    ['Job', 'Completed'],
    ['Pago', 'sí'],
    ['Date paid', ''],
    ['Paid on', '0000-00-00'],
    ['Paid on', 'pending'],
    // When it is to be paid.
    ...['Payment date', 'Pay date', 'Date of payment', 'Value date', 'Execution date', 'Last paid on'].map(dated),
    ...['Zahldatum', 'Zahlungsdatum', 'Ausführungsdatum', 'Date de paiement', 'Fecha de pago', 'Data pagamento'].map(
      dated,
    ),
    ...['Betaaldatum', 'Data płatności', 'Datum platby', 'Ödeme tarihi', '付款日期', '支払日', '지급일'].map(dated),
    ['UTR', '1234567890'],
    ['Tx hash', 'pending'],
  ])('is none by %s: %s', async (status, text) => {
    expect((await readAll([header(status), ...rows(text)].join('\n'))).payouts).toBe(2);
  });

  it('is not looked for in a column that a person ignores', async () => {
    const content = [header('Status'), ...rows('PAID')].join('\n');
    for (const ignored of ['Status', 'E'])
      expect((await readAll(content, { columns: [{ header: ignored, column: null }] })).payouts).toBe(2);
  });
});

describe('a row that is withheld', () => {
  const content = (header: string, text: string, other: string) =>
    [`Name,IBAN,Amount,Currency,${header}`, `Ana,${IBAN},60.00,EUR,${text}`, `Bo,${OTHER_IBAN},6.00,EUR,${other}`].join(
      '\n',
    );

  it.each([
    ['Status', 'Cancelled', 'Open'],
    ['Status', 'On hold', 'Approved'],
    ['Status', 'gesperrt', 'freigegeben'],
    ['Statut', 'Annulé le 30/10/2026', 'Validé'],
    ['Estado', 'Rechazado', 'Pendiente'],
    ['Situação', 'Cancelado', 'Pendente'],
    ['Stato', 'Annullato', 'Da pagare'],
    ['Status', 'Geannuleerd', 'Open'],
    ['Status', 'Anulowane', 'Nowe'],
    ['Durum', 'İptal edildi', 'Bekliyor'],
    ['Статус', 'Отменено', 'Новый'],
    ['状态', '已取消', '待支付'],
    ['Approved', 'no', 'yes'],
    ['Approval', 'pending', 'approved'],
    ['Freigegeben', 'nein', 'ja'],
    ['Pay?', 'N', 'Y'],
    ['Hold', 'yes', ''],
    ['Zahlsperre', 'R', ''],
    ['Do not pay', 'x', 'no'],
  ])('by %s: %s is an error, and the others are paid', async (header, text, other) => {
    const result = await readAll(content(header, text, other));
    expect(placesOf(result)).toEqual(['E2 row_withheld']);
    expect([result.isWhole, result.payouts]).toEqual([true, 1]);
    expect(result.problems[0]?.remedy).toContain(`--column "${header}="`);
    expect((await readAll(content(header, text, other), { columns: [{ header, column: null }] })).payouts).toBe(2);
  });

  it.each([
    ['Status', 'Failed', 'Active'],
    ['Status', 'Pending', 'Draft'],
    ['Approved', 'yes', 'x'],
    ['Approved by', 'no one', 'Eve'],
    ['Hold', 'no', '0'],
    ['Block', 'B12', 'A3'],
    ['Department', 'Suspended ceilings', 'Hold'],
  ])('is none by %s: %s and %s', async (header, text, other) => {
    expect((await readAll(content(header, text, other))).payouts).toBe(2);
  });
});

describe('a row that is paid in another way', () => {
  it.each([
    ['Payment Method', 'Cheque', 'Bank transfer'],
    ['Zahlungsart', 'bar', 'Überweisung'],
    ['Mode de règlement', 'Chèque', 'Virement'],
    ['Forma de pago', 'Efectivo', 'Transferencia'],
    ['Betaalwijze', 'Contant', 'Overboeking'],
  ])('by %s: %s is an error, and the others are paid', async (header, text, other) => {
    const lines = [
      `Name;IBAN;Amount;Currency;${header}`,
      `Ana;${IBAN};60.00;EUR;${text}`,
      `Bo;${OTHER_IBAN};6.00;EUR;${other}`,
    ];
    const result = await readAll(lines.join('\n'));
    expect(placesOf(result)).toEqual(['E2 row_paid_otherwise']);
    expect(result.payouts).toBe(1);
    const ignored = await readAll(lines.join('\n'), { columns: [{ header, column: null }] });
    expect(ignored.payouts).toBe(2);
  });
});

describe('a row that is no payment to be made', () => {
  it.each([
    ['Type', 'Refund received', 'Payment'],
    ['Transaction type', 'Chargeback', 'Payment'],
    ['Kind', 'Standing order received', 'Transfer'],
    ['Type', 'Credit', 'Payment'],
    ['Type', 'Fee', 'Salary'],
    ['Transaktionsart', 'Zahlungseingang', 'Überweisung'],
    ['Vorgang', 'Rückbuchung', 'Überweisung'],
    ['Type opération', 'Virement reçu', 'Virement émis'],
    ['Tipo', 'Transferencia recibida', 'Transferencia'],
    ['Tipo', 'Estorno', 'Transferência'],
    ['Type', 'Ontvangen', 'Overboeking'],
  ])('by %s: %s is an error, and the others are paid', async (header, text, other) => {
    const row = (name: string, iban: string, kind: string) => `${name};${iban};60.00;EUR;${kind}`;
    const lines = [`Name;IBAN;Amount;Currency;${header}`, row('Ana', IBAN, text), row('Bo', OTHER_IBAN, other)];
    const result = await readAll(lines.join('\n'));
    expect(placesOf(result)).toEqual(['E2 row_no_payout']);
    expect(result.payouts).toBe(1);
    const ignored = await readAll(lines.join('\n'), { columns: [{ header, column: null }] });
    expect(ignored.payouts).toBe(2);
  });

  it.each(['Credit', 'Fee', 'Gutschrift', 'Refund'])('is not meant where every row says %s', async (kind) => {
    const rows = [`Ana;${IBAN};60.00;EUR;${kind}`, `Bo;${OTHER_IBAN};6.00;EUR;${kind}`];
    expect((await readAll(['Name;IBAN;Amount;Currency;Type', ...rows].join('\n'))).payouts).toBe(2);
  });
});

describe('a total with an account of its own', () => {
  it.each([
    'TOTAL',
    'Grand total:',
    'Gesamtsumme',
    'Total general',
    'Totale EUR',
    'Razem',
    'ИТОГО',
    '合计',
    '合計',
    'รวม',
    'Tổng',
  ])('%s is an error of its row, wherever it is', async (name) => {
    const total = `${name},${OTHER_IBAN},60.00,EUR`;
    for (const rows of [
      [`Ana,${IBAN},60.00,EUR`, total],
      [total, `Ana,${IBAN},60.00,EUR`],
    ]) {
      const result = await readAll(['Name,IBAN,Amount,Currency', ...rows].join('\n'));
      expect(placesOf(result)).toEqual([`A${rows.indexOf(total) + 2} row_named_total`]);
      expect(result.totals).toMatchObject([{ count: 1, minor: 6000n }]);
    }
  });

  it.each(['Total Energies SE', 'TotalEnergies', 'Som Chai', 'Sum Wong', 'Ana Soma', 'Total Fitness GmbH'])(
    'is not meant by %s',
    async (name) => {
      expect((await readAll(`Name,IBAN,Amount,Currency\n${name},${IBAN},60.00,EUR\n`)).payouts).toBe(1);
    },
  );
});
