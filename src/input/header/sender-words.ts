import { headerKey } from './header-key.ts';

/** Parts of words for the one who pays, in the languages of our columns. */
const SENDER_PARTS =
  'debit debtor debiteur sender sending originat ordering remitter funding fromacc sourceacc payor auftraggeber absender belast donneur emetteur adebiter ' +
  'aprelever ordenante decargo emissor adebitar debito ordinante addebit opdrachtgever nadawc zleceniodawc obciaz razorpayx ' +
  'platitel nalogodav megbizo terhelt αποστολε εντολε πληρωτ наредител משלם מעביר frombsb fromiban fromsort payfrom ouraccount ouriban ownaccount owniban ' +
  'companyaccount companyiban companybank payingaccount payingiban chargeaccount eigenesiban eigeneiban eigeneskonto unserkonto unsereiban notreiban notrecompte nuestracuenta ' +
  'gonderen gonderici borclu avsandar afsender avsender maksaja maksutili veloit terhelend ordonator platitor platce odesilatel ' +
  'odosielatel debet дебет списан плательщик отправител платник відправник платця ' +
  'chuyentu trichno nguoichuyen taikhoannguon taikhoanchuyen pengirim sumberdana rekeningsumber rekeningasal didebit cuentacargo cuentaorigen deorigen contaorigem deorigem comptesource ' +
  '付款 扣款 转出 轉出 出款 汇出 匯出 出金 引落 依頼人 支払元 振込元 送金元 출금 보내는 송금인 의뢰인 지급계좌 ' +
  'ผู้โอน ผู้จ่าย หักบัญชี ต้นทาง المرسل المدين الدافع الخصم المحولمنه';

/** In other words these are about a payee: a taxpayer, and 被仕向 (the bank that gets it). */
const SENDER_WORDS = /(?<!tax)payer|(?<!被)仕向/;

const SENDER = new RegExp(SENDER_PARTS.split(' ').map(headerKey).join('|'));

/** Payments, amounts and purposes have the same word in Chinese and Japanese as the account that they are paid from. */
const OF_PAYMENT =
  /^付款(?:金[额額]|用途|附言|备注|說明|说明|事由|币[种别]|幣[種別]|货币|貨幣|方式|日期|状态|狀態|参考|參考|詳情)/;

/** Whether a header is about the one who pays: no account, name or code under it is the payee's. */
export function isOfSender(header: string): boolean {
  const key = headerKey(header);
  return (SENDER.test(key) || SENDER_WORDS.test(key)) && !OF_PAYMENT.test(key);
}
