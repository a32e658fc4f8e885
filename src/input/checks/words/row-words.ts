import { keys, keysWithColumns } from './header-keys.ts';

/** A column that tells what became of a payment. */
export const STATUS = keysWithColumns(
  ['state'],
  'status, state, payment state, (payment|payout|pay|transfer|payroll|transaction|invoice) status, paid status, status of payment, Zahlungsstatus, Zahlstatus, Zahlungsstand, Auszahlungsstatus, Status Zahlung, Bezahlstatus, Stand',
  'statut, état, (statut|état) (paiement|du paiement|de paiement|du virement|virement), estado, estatus, estado (pago|del pago|de pago|de la transferencia), situación, situação, status do pagamento, estado do pagamento, situação do pagamento',
  'stato, stato (pagamento|del pagamento|bonifico), betaalstatus, betalingsstatus, status betaling, stan, status (płatności|przelewu|wypłaty), stan płatności, stav, stav (platby|výplaty|úhrady), durum, durumu, ödeme durumu, statü',
  '状态, 狀態, 支付状态, 付款状态, 打款状态, 发放状态, 交易状态, 付款狀態, 支付狀態, 結算狀態, 结算状态, 订单状态',
  'tila, maksun tila, állapot, státusz, (fizetés|kifizetés) állapota, stare, stare plată, статус, статус (платежа|выплаты|оплаты|платежу|виплати), состояние, стан, κατάσταση, κατάσταση πληρωμής, ステータス, 状態, 状況, 支払 (状況|状態), 支払ステータス, 振込状況, 상태, 지급상태, 처리상태, 이체상태, สถานะ, สถานะการ (จ่าย|โอน|ชำระเงิน), trạng thái, tình trạng, trạng thái thanh toán, status pembayaran, status transfer, الحالة, حالة الدفع, סטטוס, מצב',
);

/** A column that tells yes or no of it. */
export const IS_PAID = keys(
  'paid, is paid, already paid, payment done, paid out, paid?, paid y/n, bezahlt, ausgezahlt, überwiesen, bereits bezahlt, erledigt, payé, réglé, déjà payé, pagado, ya pagado, pagado?, já pago, pagato, già pagato, betaald, reeds betaald, uitbetaald',
  'zapłacone, opłacone, wypłacone, zaplaceno, uhrazeno, vyplaceno, ödendi, ödendi mi, 已付款, 已支付, 是否已付, 是否支付, 是否已支付, 是否付款',
  'betald, utbetald, betalt, udbetalt, utbetalt, maksettu, kifizetve, fizetve, utalva, plătit, achitat, plaćeno, isplaćeno, оплачено, выплачено, перечислено, сплачено, виплачено, платено, πληρώθηκε, εξοφλήθηκε, 支払済, 支払済み, 支払い済み, 振込済, 振込済み, 지급완료, 이체완료, 지급여부, จ่ายแล้ว, โอนแล้ว, đã thanh toán, đã chi, đã chuyển, sudah dibayar, lunas, مدفوع, تم الدفع, שולם',
);

/** A column of the days on which rows were paid. `Payment date` and `Pay date` are when they are to be, and in none. */
export const PAID_ON = keys(
  '(paid|payed|already paid|paid out) (date|on|at|on date|date time), date (paid|payed), (settled|transferred|disbursed|remitted|executed|paid out) (on|at|date), date (settled|transferred|disbursed|remitted), when paid',
  '(bezahlt|gezahlt|überwiesen|ausgezahlt|ausbezahlt|beglichen|ausgeführt) (am|um), bereits bezahlt am, (payé|payée|réglé|réglée|viré|versé|exécuté|effectué) le, date payé, date réglé, (pagado|pagada|abonado|abonada|transferido|liquidado) el, fecha (pagado|pagada|abonado), (pago|paga|transferido|liquidado) em, (pagato|pagata|saldato|bonificato|eseguito) il, data (pagato|pagata|saldato)',
  '(betaald|uitbetaald|overgemaakt|voldaan|uitgevoerd) op, (zapłacono|opłacono|wypłacono|przelano|zapłacone|opłacone|wypłacone|zrealizowano) (dnia|w dniu), data zapłacenia, data opłacenia, (zaplaceno|uhrazeno|vyplaceno|proplaceno|odesláno|zaplatené|uhradené|vyplatené) (dne|dňa), ödendiği tarih, (betald|utbetald|betalades) den, (betalt|utbetalt|udbetalt) den, betalt dato, maksettu päivä, maksettu pvm, (kifizetve|fizetve|utalva) ekkor, (plătit|achitat) (la|în|pe|la data de), (plaćeno|isplaćeno) (dana|dne|datum)',
  '(оплачено|выплачено|перечислено) дата, дата (фактической оплаты|фактической выплаты), (сплачено|виплачено) дата, платено на, πληρώθηκε στις, (支払済|支払済み|支払い済み|振込済|振込済み)日, 支払完了日, 振込完了日, (已付|已付款|已支付|实付|實付)日期, 支付完成时间, 付款完成时间, 지급완료일, 이체완료일, 지급완료일자, วันที่จ่ายแล้ว, วันที่โอนแล้ว, đã (trả|chi|thanh toán) ngày, ngày đã (trả|chi|thanh toán), dibayar (pada|tanggal), tanggal dibayar, تم الدفع في, שולם בתאריך, שולם ביום',
);

export const YES = keys(
  'yes, y, true, x, 1, ja, j, wahr, oui, o, vrai, sí, s, verdadero, sim, verdadeiro, si, vero, waar, tak, t, prawda, ano, a, pravda, evet, e, doğru, 是, 对, ok, done',
  'jah, kyllä, igen, da, да, так, ναι, はい, 済, 예, 네, ใช่, có, ya, نعم, כן',
);

/** As the whole of a cell, but for a date: the row was paid. */
export const PAID = keys(
  'paid, paid out, fully paid, paid in full, already paid, payment (made|done|sent|completed|successful), completed, complete, settled, succeeded, success, successful, transferred, disbursed, remitted, payout completed, executed, payment complete',
  'bezahlt, gezahlt, ausgezahlt, ausbezahlt, überwiesen, ausgeführt, beglichen, abgeschlossen, erledigt, bereits (bezahlt|gezahlt|überwiesen|ausgezahlt), vollständig bezahlt, Zahlung (erfolgt|ausgeführt)',
  'payé, payée, payés, réglé, réglée, soldé, viré, versé, exécuté, exécutée, effectué, effectuée, terminé, terminée, déjà (payé|réglé|viré|versé), virement effectué, paiement effectué, complété',
  'pagado, pagada, pagados, abonado, abonada, completado, completada, realizado, realizada, transferido, transferida, liquidado, liquidada, ejecutado, ejecutada, ya pagado, pago realizado, cobrado',
  'pago, paga, pagos, concluído, concluída, efetuado, efetuada, efectuado, quitado, quitada, já pago, pagamento (efetuado|realizado|concluído), transferência efetuada',
  'pagato, pagata, pagati, completato, completata, eseguito, eseguita, effettuato, effettuata, saldato, saldata, liquidato, liquidata, bonificato, già pagato, pagamento eseguito, trasferito',
  'betaald, uitbetaald, voltooid, overgemaakt, uitgevoerd, voldaan, afgerond, reeds betaald, geslaagd, verwerkt en betaald',
  'zapłacone, zapłacono, zapłacony, zapłacona, opłacone, opłacony, opłacona, opłacono, wypłacone, wypłacono, wypłacony, wypłacona, zrealizowane, zrealizowany, zrealizowana, zrealizowano, wykonane, wykonany, wykonana, przelane, przelano, zakończone, zakończony, zakończona, rozliczone, uregulowane',
  'zaplaceno, zaplacen, zaplacena, zaplacené, uhrazeno, uhrazen, uhrazena, vyplaceno, vyplacen, vyplacena, proplaceno, provedeno, provedena, dokončeno, dokončena, odesláno, převedeno',
  'ödendi, ödenmiş, ödeme yapıldı, ödeme tamamlandı, tamamlandı, tamamlanmış, gönderildi, gerçekleşti, havale edildi, yatırıldı, başarılı',
  '已完成, 已支付, 已付款, 已付, 已打款, 已发放, 已转账, 已轉帳, 已發放, 已拨款, 已撥款, 已结算, 已結算, 已到账, 已到帳, 已入账, 已入帳, 已出款, 已提現, 已提现, 完成, 成功, 支付成功, 付款成功, 交易成功, 转账成功, 打款成功, 已結清, 已结清',
  'betald, betalda, utbetald, slutförd, genomförd, betalt, udbetalt, utbetalt, gennemført, gjennomført, fullført, maksettu, suoritettu, kifizetve, kifizetett, fizetve, teljesítve, teljesült, utalva, plătit, plătită, achitat, achitată, efectuat, finalizat, plaćeno, isplaćeno, izvršeno, realizirano',
  'оплачено, оплачен, оплачена, выплачено, выплачен, перечислено, исполнено, исполнен, завершено, завершен, проведено, сплачено, виплачено, виконано, платено, изплатено, πληρώθηκε, πληρωμένο, εξοφλήθηκε, εξοφλημένο, ολοκληρώθηκε',
  '支払済, 支払済み, 支払い済み, 支払完了, 振込済, 振込済み, 振込完了, 送金済, 送金済み, 完了, 지급완료, 지급 완료, 이체완료, 이체 완료, 송금완료, 완료, 처리완료, จ่ายแล้ว, โอนแล้ว, ชำระแล้ว, สำเร็จ, đã thanh toán, đã chi, đã chi trả, đã chuyển, đã chuyển khoản, thành công, hoàn thành, sudah dibayar, sudah ditransfer, terbayar, lunas, berhasil, selesai, مدفوع, تم الدفع, تم التحويل, مكتمل, שולם, הועבר, בוצע',
);

/** Of a status that is of the payment by its header, these are paid too; of another, it may be something else that was done. */
export const DONE = keys(
  'done, sent, processed, cleared, closed, finished, yes, y, ok, executado, traité, envoyé, procesado, enviado, enviada, processado, inviato, elaborato, verwerkt, verzonden, wysłane, wysłano, odesláno, işlendi, verarbeitet, gesendet, versendet, gebucht, 已处理, 已處理',
);

/** What may stand between a status and its date. */
export const BEFORE_DATE: ReadonlySet<string> = new Set(
  'on am at by via le el il em op dne dnia w den vom del dia data utc'.split(' '),
);

/** `no`, as a whole cell. */
export const NO = keys(
  'no, n, false, nein, falsch, non, faux, não, nao, falso, nee, onwaar, nie, fałsz, ne, nepravda, hayır, hayir, nej, nei, ei, nem, nu, нет, ні, не, όχι, 否, 不, いいえ, 아니오, ไม่, không, tidak, لا, לא',
);

/** As the whole of a cell, but for a date: the row is not to be paid. That a payment failed is no reason: it may be made again. */
export const WITHHELD = keys(
  'cancelled, canceled, void, voided, withdrawn, rejected, declined, denied, disapproved, (not|un) approved, unapproved, not authorised, not authorized, hold, held, on hold, payment hold, paused, suspended, stopped, stop, stop payment, blocked, frozen, (do not|dont|don’t) pay, not to be paid, no payment, skip, skipped, exclude, excluded, deleted, disputed, in dispute, duplicate, revoked',
  'storniert, abgelehnt, gesperrt, zurückgestellt, zurückgezogen, angehalten, ausgesetzt, gestoppt, gelöscht, ungültig, widerrufen, Stopp, Sperre, Zahlsperre, Zahlungssperre, nicht (zahlen|auszahlen|überweisen|freigegeben|genehmigt), annulliert',
  'annulé, annulée, rejeté, rejetée, refusé, refusée, bloqué, bloquée, suspendu, suspendue, supprimé, supprimée, ne pas payer, ne pas virer, non (approuvé|validé|autorisé), en litige, à bloquer',
  'anulado, anulada, cancelado, cancelada, rechazado, rechazada, bloqueado, bloqueada, suspendido, suspendida, retenido, retenida, detenido, detenida, no pagar, no (aprobado|autorizado), en disputa, eliminado',
  'rejeitado, rejeitada, recusado, recusada, suspenso, suspensa, retido, retida, estornado, estornada, não (pagar|aprovado|autorizado), excluído, excluída',
  'annullato, annullata, stornato, stornata, rifiutato, rifiutata, respinto, respinta, bloccato, bloccata, sospeso, sospesa, revocato, non (pagare|approvato|autorizzato), da non pagare',
  'geannuleerd, afgewezen, geweigerd, geblokkeerd, opgeschort, ingetrokken, vervallen, niet (betalen|goedgekeurd|uitbetalen)',
  'anulowane, anulowany, anulowana, anulowano, odrzucone, odrzucony, odrzucona, odrzucono, wstrzymane, wstrzymany, wstrzymana, wstrzymano, zablokowane, zablokowany, zablokowana, nie (płacić|wypłacać|zatwierdzone), niezatwierdzone, wycofane',
  'zrušeno, zrušena, stornováno, zamítnuto, pozastaveno, blokováno, zablokováno, neplatit, neschváleno, zrušené, zamietnuté, pozastavené',
  'iptal, iptal edildi, reddedildi, ret, askıda, askıya alındı, bloke, durduruldu, ödenmeyecek, onaylanmadı, ödeme yapılmayacak',
  'makulerad, annullerad, avvisad, nekad, spärrad, stoppad, avbruten, betala inte, annulleret, afvist, spærret, stoppet, kansellert, avvist, sperret, peruttu, peruutettu, hylätty, estetty, törölve, sztornó, sztornózva, elutasítva, zárolva, felfüggesztve, visszavonva, anulat, anulată, respins, respinsă, blocat, blocată, suspendat, otkazano, stornirano, odbijeno, blokirano, poništeno',
  'отменено, отменен, отменена, отклонено, отклонен, отклонена, заблокировано, заблокирован, приостановлено, приостановлен, аннулировано, не платить, не выплачивать, скасовано, відхилено, заблоковано, призупинено, отказано, ακυρώθηκε, ακυρωμένο, απορρίφθηκε, σε αναστολή',
  '已取消, 取消, 已作废, 作废, 已拒绝, 拒绝, 驳回, 已驳回, 冻结, 已冻结, 暂停, 暂不支付, 暂缓支付, 不付, 不支付, 已撤销, 撤销, 已作廢, 作廢, 已拒絕, 拒絕, 駁回, 已駁回, 凍結, 暫停, 已撤銷, 撤銷, 暫緩支付',
  '取消済, 取消済み, キャンセル, キャンセル済み, 却下, 保留, 停止, 支払停止, 否認, 취소, 취소됨, 반려, 보류, 거절, 정지, 지급보류, 지급정지, ยกเลิก, ปฏิเสธ, ระงับ, không duyệt, đã hủy, hủy, từ chối, tạm dừng, dibatalkan, batal, ditolak, ditahan, ditangguhkan, diblokir, ملغى, ملغي, مرفوض, موقوف, בוטל, נדחה, מוקפא',
);

/** A column that tells yes or no of whether the row is to be paid. */
export const IS_TO_PAY = keys(
  'approved, is approved, approval, approval status, authorised, authorized, released, pay, to pay, pay now, pay this, pay y/n, to be paid, include, included, include in (run|payroll|payment), process, selected',
  'freigegeben, Freigabe, genehmigt, zahlen, auszahlen, auszuzahlen, approuvé, validé, validation, bon à payer, à payer, aprobado, autorizado, pagar, a pagar, aprovado, approvato, autorizzato, da pagare, goedgekeurd, akkoord, betalen, zatwierdzone, zatwierdzony, do zapłaty, schváleno, onaylandı, onay, ödenecek mi',
  'godkänd, godkendt, godkjent, hyväksytty, jóváhagyva, aprobat, odobreno, утверждено, одобрено, согласовано, затверджено, εγκρίθηκε, 已审批, 已批准, 是否通过, 審批, 承認, 承認済, 승인, 승인여부, อนุมัติ, đã duyệt, disetujui, معتمد, מאושר',
);

/** Beside such a column, rows that wait are not to be paid yet. */
export const NOT_YET = keys(
  'pending, waiting, awaiting, awaiting approval, pending approval, draft, ausstehend, offen, en attente, brouillon, pendiente, pendente, in attesa, in afwachting, oczekuje, čeká, bekliyor, väntar, afventer, venter, odottaa, függőben, în așteptare, na čekanju, ожидает, очікує, σε εκκρεμότητα, 待审批, 待審批, 未承認, 승인대기, รออนุมัติ, chờ duyệt, menunggu, قيد الانتظار, ממתין',
);

/** A column that tells whether the row is withheld: whatever stands in it but a word for no. */
export const IS_WITHHELD = keys(
  'hold, on hold, held, payment (hold|block|blocked|stop|stopped), pay hold, hold (payment|pay|salary), salary hold, stop, stop (payment|pay|salary), blocked, do not pay, dont pay, exclude, excluded, skip, cancelled, canceled, void, voided',
  'gesperrt, Sperre, Zahlsperre, Zahlungssperre, Sperrkennzeichen, nicht (zahlen|auszahlen), storniert, bloqué, suspendu, ne pas payer, annulé, bloqueado, bloqueo de pago, retenido, no pagar, anulado, bloqueio, não pagar, bloccato, sospeso, blocco pagamento, non pagare, geblokkeerd, betaalblokkade, niet betalen, zablokowane, wstrzymane, blokada płatności, nie płacić, blokováno, neplatit, spärrad, spærret, sperret, zárolva, blocat, blokirano, заблокировано, не платить, 冻结, 凍結, 支払停止, 지급보류',
);

/** Kinds of payments that are made in another way than by transfer, as a whole cell. */
export const PAID_OTHERWISE = keys(
  'cheque, cheques, check, paper check, chq, cash, petty cash, cash payment, credit card, debit card, card, (by|in|per) (cheque|check|cash), demand draft, Scheck, Verrechnungsscheck, bar, Barzahlung, Bargeld, Barauszahlung, chèque, chèques, espèces, en espèces, efectivo, en efectivo, talón, tarjeta',
  'dinheiro, em dinheiro, cartão, contanti, in contanti, assegno, assegni, contant, gotówka, czek, hotovost, hotově, šek, nakit, çek, elden, kontant, käteinen, készpénz, csekk, numerar, cec, gotovina, наличные, наличными, касса, чек, готівка, μετρητά, επιταγή, 现金, 支票, 現金, 小切手, 手形, 현금, 수표, เงินสด, เช็ค, tiền mặt, séc, tunai, cek, نقدا, نقدي, شيك, מזומן, צק, המחאה',
);

/** The number under which a bank has made the payment, or the transaction of a chain. */
export const PROOF_OF_PAYMENT = keys(
  'utr, (bank|payment|neft|) utr, utr (no|number|ref|reference|id), (tx|txn|transaction|blockchain|payment) hash, txhash, on chain (tx|transaction), Transaktionshash, hash (da transação|de la transacción|de transacción|de la transaction|transazione), 交易哈希, 交易hash, 트랜잭션 해시, トランザクションハッシュ',
);

/** Kinds of bookings that are no payments to be made, as a whole cell: money that came in, payments that came back, costs of the bank. */
export const NO_PAYOUT = keys(
  'received, receipt, incoming, inbound, in, (refund|credit|payment|deposit|interest|rebate|standing order|transfer|direct credit) received, incoming (payment|transfer|credit|refund|standing order|funds), (transfer|money|refund|paid) in, customer payment, chargeback, charge back, reversal, reversed, (returned|bounced) payment, payment (returned|reversed|bounced), charge, charges, bank (fee|fees|charge|charges), service charge, collection, collected, credit (note|memo)',
  'Zahlungseingang, Eingang, Geldeingang, Überweisungseingang, Dauerauftragseingang, Dauerauftrag Eingang, Eingang Dauerauftrag, Dauerauftragsgutschrift, eingehend, Einzahlung, (Erstattung|Rückerstattung|Rückzahlung) erhalten, Rückbuchung, Rücküberweisung, Storno, Stornierung, Stornobuchung, (Bank|Kontoführungs)gebühr, (Bank|Kontoführungs)gebühren, Bankspesen',
  'encaissement, reçu, entrant, (virement|remboursement|paiement) (reçu|entrant), virements reçus, rejet, rejet de virement, extourne, contre-passation, impayé, frais bancaires',
  'recibido, entrante, cobro, (transferencia|devolución) recibida, (abono|reembolso|pago) recibido, transferencia entrante, contracargo, retrocesión, (gastos|comisión|comisiones) (bancarios|bancaria|bancarias), nota de crédito',
  'recebido, recebimento, entrada, (transferência|devolução) recebida, (pix|reembolso|pagamento) recebido, estorno, tarifa bancária, tarifas bancárias',
  'ricevuto, entrata, in entrata, (bonifico|rimborso|pagamento) ricevuto, bonifico in entrata, storno, spese bancarie, commissioni bancarie, nota di credito',
  'ontvangen, ontvangst, inkomend, bijschrijving, inkomende betaling, terugbetaling ontvangen, terugboeking, bankkosten, creditnota',
  'wpływ, wpłata, otrzymane, przychodzący, przelew przychodzący, zwrot otrzymany, opłata bankowa, prowizja bankowa, příchozí, příchozí platba, přijatá platba, příjem, vratka, dobropis, prijatá platba, prichádzajúca platba',
  'gelen, gelen (havale|eft|ödeme), tahsilat, ters kayıt, ters ibraz, inbetalning, insättning, mottagen, inkommande, återföring, indbetaling, indgående, modtaget, tilbageførsel, innbetaling, innkommende, mottatt, tilbakeføring, saapuva, saapuva maksu, palvelumaksu, beérkező, beérkezett átutalás, beérkező átutalás, visszatérítés, încasare, intrare, primit, stornare, comision bancar, priljev',
  'поступление, входящий, входящий платеж, приход, получено, сторно, банковская комиссия, надходження, вхідний, вхідний платіж, είσπραξη, εισερχόμενο, εισερχόμενη, αντιλογισμός',
  '收款, 收入, 入账, 入帳, 转入, 轉入, 来账, 來帳, 冲正, 沖正, 退票, 入金, 受取, 組戻, 組戻し, 수취, 반환, รับเงิน, เงินเข้า, nhận tiền, tiền vào, penerimaan, dana masuk, transfer masuk, biaya admin, pembalikan, وارد, تحويل وارد, مقبوضات, נכנס, החזר התקבל',
);

/** The same where other rows are of another kind; alone they may be what a list pays: fees, interest, credits to the payees. */
export const NO_PAYOUT_AMONG_OTHERS = keys(
  'credit, credits, cr, fee, fees, interest, return, returned, Gutschrift, Gebühr, Gebühren, Zinsen, crédit, avoir, frais, intérêts, annulation, abono, ingreso, intereses, anulación, devuelto, crédito, juros, tarifa, devolvido, accredito, interessi, kosten, rente',
  'uznanie, opłata, odsetki, korekta, poplatek, masraf, faiz, iade, avgift, ränta, gebyr, hyvitys, jóváírás, díj, uplata, naknada, зачисление, комиссия, комісія, πίστωση, προμήθεια, 手续费, 手續費, 利息, 贷, 手数料, 입금, 수수료, 이자, ค่าธรรมเนียม, phí, bunga, رسوم, זיכוי, עמלה',
);

/** What a payment to an account at a building society in the UK must carry. */
export const SOCIETY_NUMBER = keys(
  '(building society|bs|bldg soc|building soc) (roll number|roll no|reference|ref|reference number|ref number|account reference|number|no|roll|account number), building society (reference|ref) roll number, roll number building society reference, (building society|bs) (roll|reference) (number|no)',
);
export const ROLL_NUMBER = keys(
  'roll (no|number|num|ref|reference), roll, (account|bank|payee|beneficiary) roll (no|number), (roll number|roll no) (reference|ref)',
);
