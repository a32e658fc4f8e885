import { describe, expect, it } from 'vitest';
import { columnOf } from '../../src/input/header/columns.ts';
import { readHeader } from '../../src/input/header/header.ts';
import { keysOf } from '../../src/input/header/header-key.ts';
import { nearMisses } from '../../src/input/header/near-miss.ts';
import { isOfSender } from '../../src/input/header/sender-words.ts';
import { COLUMN_NAMES } from '../../src/input/header/synonyms.ts';
import { synonymsOf, unsureWordsOf } from '../../src/input/header/vocabulary.ts';

/** Name, amount, currency, account and reference, as payment lists of each country have them. */
it.each([
  ['Czech', 'Příjemce|Částka|Měna|Číslo účtu|Zpráva pro příjemce'],
  ['Slovak', 'Príjemca|Suma na úhradu|Mena|Číslo účtu príjemcu|Správa pre príjemcu'],
  ['Turkish', 'Alıcı Adı Soyadı|Ödeme Tutarı|Para Birimi|IBAN No|Ödeme Açıklaması'],
  ['Swedish', 'Mottagarens namn|Belopp|Valuta|Kontonummer|Meddelande till mottagare'],
  ['Danish', 'Modtagers navn|Beløb|Valutakode|Modtagers kontonummer|Besked til modtager'],
  ['Norwegian', 'Mottaker|Beløp til utbetaling|Valutakode|Mottakers konto|Melding til mottaker'],
  ['Finnish', 'Saajan nimi|Maksettava määrä|Valuutta|Saajan tilinumero|Viesti saajalle'],
  ['Hungarian', 'Kedvezményezett neve|Utalandó összeg|Devizanem|Bankszámlaszám|Közlemény'],
  ['Romanian', 'Nume beneficiar|Suma de plată|Monedă|Cont beneficiar|Detalii plată'],
  ['Russian', 'ФИО сотрудника|Сумма к выплате|Валюта|Лицевой счёт|Назначение платежа'],
  ['Ukrainian', 'ПІБ отримувача|Сума до виплати|Код валюти|Рахунок отримувача|Призначення платежу'],
  ['Japanese', '受取人名|振込金額|通貨|口座番号|送金目的'],
  ['simplified Chinese', '收款人姓名|金额（元）|币种|收款人账号|附言'],
  ['traditional Chinese', '受款人戶名|匯款金額|幣別|受款人帳號|匯款附言'],
  ['Korean', '예금주|이체금액|통화|입금계좌번호|받는통장 표시'],
  ['Thai', 'ชื่อผู้รับเงิน|จำนวนเงิน|สกุลเงิน|เลขที่บัญชี|หมายเลขอ้างอิง'],
  ['Vietnamese', 'Tên người thụ hưởng|Số tiền|Loại tiền|Số tài khoản|Nội dung chuyển khoản'],
  ['Indonesian', 'Nama Penerima|Jumlah Transfer|Mata Uang|No. Rekening|Berita'],
  ['Malay', 'Nama Penuh|Amaun Bayaran|Mata Wang|No. Akaun Penerima|Rujukan Penerima'],
  ['Croatian', 'Naziv primatelja|Iznos za isplatu|Valuta|IBAN primatelja|Opis plaćanja'],
  ['Greek', 'Δικαιούχος|Ποσό|Νόμισμα|Αριθμός λογαριασμού|Αιτιολογία'],
  ['Bulgarian', 'Получател|Сума за превод|Валута|IBAN на получателя|Основание'],
  ['shortened English', 'BENE_NAME|AMT|CCY|BENE_ACC_NO|Payment Ref'],
  ['Arabic', 'اسم المستفيد|صافي الراتب|العملة|رقم الآيبان|الغرض من التحويل'],
])('%s headers are understood', (_, line) => {
  const { columns, problems } = readHeader(line.split('|'), 1);
  expect(columns).toEqual(['name', 'amount', 'currency', 'account_number', 'reference']);
  expect(problems).toEqual([]);
});

it.each([
  ['姓|名', '陈|伟', [0, 1]],
  ['Tên|Họ', 'An|Nguyễn', [1, 0]],
  ['Keresztnév|Vezetéknév', 'Anna|Nagy', [1, 0]],
  ['Příjmení|Jméno', 'Nováková|Eva', [1, 0]],
  ['Etunimi|Sukunimi', 'Aino|Virtanen', [0, 1]],
])('the parts %s are joined as their language writes names', (headers, row, places) => {
  const below = [`${row}|1|EUR|x`.split('|')];
  const { joined } = readHeader(`${headers}|Amount|Currency|IBAN`.split('|'), 1, { below });
  expect(joined.get('name')).toEqual({ places, how: 'all' });
});

describe('accounts of the sender', () => {
  it.each([
    'Ordering account|Debit A/C No|Auftraggeber IBAN|Cuenta de cargo|Cuenta Cargo|Conta débito|Compte à débiter|Konto Auftraggeber',
    '出金口座番号|付款账号|付款人帳號|출금계좌번호|Счёт списания|Счет плательщика|Gönderen IBAN|Avsändarkonto|Afsenderkonto|Avsenderkonto',
    'Maksajan tili|Terhelendő számla|Cont ordonator|Účet plátce|Rekening Sumber|บัญชีผู้โอน|Tài khoản trích nợ|حساب المرسل',
  ])('%s are nobody’s, and not nearly ours', (headers) => {
    for (const header of headers.split('|'))
      expect([header, isOfSender(header), columnOf(header), nearMisses(header)]).toEqual([header, true, null, []]);
  });

  it('are told from those of the payee', () => {
    for (const header of [
      'Taxpayer name',
      '被仕向銀行番号',
      'Payee account',
      '收款账号',
      'Beneficiary',
      'Nomor Rekening',
    ])
      expect([header, isOfSender(header)]).toEqual([header, false]);
  });
});

it('no word of any language that is surely one column may be another', () => {
  const sure = new Map(
    COLUMN_NAMES.flatMap((column) =>
      synonymsOf(column)
        .flatMap(keysOf)
        .map((key) => [key, column]),
    ),
  );
  const both = COLUMN_NAMES.flatMap((column) => unsureWordsOf(column).flatMap(keysOf)).filter((key) => sure.has(key));
  expect(both).toEqual([]);
  const ofAccounts = (['name', 'account_number', 'national_clearing_code', 'bic', 'account_name'] as const).flatMap(
    synonymsOf,
  );
  expect(ofAccounts.filter(isOfSender)).toEqual([]);
});
