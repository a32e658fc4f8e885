import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { messages } from '../../messages/messages.ts';
import { rowMasker } from '../model/identifiers.ts';
import { headerOf, isRehearsal, type Report } from '../model/report.ts';
import type { ReportText } from '../report-text.ts';
import { createdAt, creditorAccount, messageHead, NAME_MAX, payoutIds } from './bank-message.ts';
import { amountElement, type IsoAmount, isoAmount, isoRate, sumText } from './iso-amounts.ts';
import { ID_MAX, idText } from './iso-ids.ts';
import { NOT_PROVIDED } from './originals.ts';
import { transactionCode } from './payment-codes.ts';
import { codeElement, documentOf, group, textElement } from './xml.ts';

const MESSAGE = 'camt.054.001.04';

/** Max500Text. */
const WORDS_MAX = 500;

/** Max140Text of a line of remittance information. */
const REFERENCE_MAX = 140;

/** What was paid, as a notification of debits for each currency that it left in: an entry for each completed payout. */
export function camt054Text(report: Report): ReportText {
  // The entries of one currency stand together, which rows in the order of the input do not.
  return { start: () => piecesOf(report), row: () => '', end: '' };
}

function* piecesOf(report: Report): Generator<string> {
  const { run } = report;
  const { start, end } = documentOf(MESSAGE);
  const { sums, leftOut } = debitsOf(run);
  yield `${start}<BkToCstmrDbtCdtNtfctn>\n`;
  const words = textElement('AddtlInf', headWords(report, leftOut), WORDS_MAX);
  yield `${group('GrpHdr', messageHead(report, 'DEBIT'), words)}\n`;
  const entry = entryWriter(report);
  for (const sum of sums.values()) {
    yield notificationStart(run, sum);
    for (const [row, payout, amount] of completedIn(run, sum.currency))
      if (amount !== null) yield entry(row, payout, amount);
    yield '</Ntfctn>\n';
  }
  // A message has at least one.
  if (sums.size === 0) yield `${notificationStart(run, null)}</Ntfctn>\n`;
  yield `</BkToCstmrDbtCdtNtfctn>${end}`;
}

type Completed = Extract<PayoutState, { state: 'completed' }>;

/** How many entries there are of a currency, and what they come to. */
type Debits = IsoAmount & { entries: number };

/**
 * The payouts that were completed, of all currencies or of one, with what left the account; null where ISO 20022 cannot state
 * that.
 */
function* completedIn(
  run: RunState,
  code: string | null = null,
): Generator<[RunRow & { order: PayoutOrder }, Completed, IsoAmount | null]> {
  for (const row of run.rows) {
    const payout = run.payouts.get(row.row);
    const { order } = row;
    if (payout?.state !== 'completed' || order === null) continue;
    const { sent_minor: minor, sent_currency: currency } = payout.final;
    if (code === null || currency.code === code) yield [{ ...row, order }, payout, isoAmount(minor, currency)];
  }
}

function debitsOf(run: RunState) {
  const sums = new Map<string, Debits>();
  const leftOut = { payouts: 0, currencies: new Set<string>() };
  for (const [, { final }, amount] of completedIn(run)) {
    if (amount === null) {
      leftOut.payouts++;
      leftOut.currencies.add(currencyLabel(final.sent_currency));
      continue;
    }
    const { currency, units } = amount;
    const sum = sums.get(currency) ?? { currency, units: 0n, entries: 0 };
    sums.set(currency, { currency, units: sum.units + units, entries: sum.entries + 1 });
  }
  return { sums, leftOut };
}

function headWords(
  { run }: Report,
  { payouts, currencies }: { payouts: number; currencies: ReadonlySet<string> },
): string {
  const parts = isRehearsal(run) ? [`${messages.outcomes.rehearsalBand()}.`] : [];
  if (payouts > 0) parts.push(messages.bankFiles.leftOutText(payouts, [...currencies]));
  return parts.join(' ');
}

/** The service does not number the account that it debits. */
function notificationStart(run: RunState, debits: Debits | null): string {
  const { run_id: runId } = headerOf(run);
  const currency = debits?.currency ?? null;
  const sum = debits === null ? null : sumText(debits);
  const totals = [codeElement('NbOfNtries', debits?.entries ?? 0), sum === null ? '' : codeElement('Sum', sum)];
  return `<Ntfctn>${[
    textElement('Id', idText(`${runId}-${currency ?? 'NONE'}`), ID_MAX),
    createdAt(run),
    group(
      'Acct',
      group('Id', group('Othr', codeElement('Id', NOT_PROVIDED))),
      currency === null ? '' : codeElement('Ccy', currency),
    ),
    group('TxsSummry', group('TtlNtries', ...totals), group('TtlDbtNtries', ...totals)),
  ].join('')}\n`;
}

/** An entry is booked where money left; in a rehearsal it is for information. */
function entryWriter({
  run,
}: Report): (row: RunRow & { order: PayoutOrder }, payout: Completed, amount: IsoAmount) => string {
  const maskRow = rowMasker(headerOf(run).input);
  const idsOf = payoutIds(run);
  const status = codeElement('Sts', isRehearsal(run) ? 'INFO' : 'BOOK');
  const direction = codeElement('CdtDbtInd', 'DBIT');
  return (row, { final, finishedAt, sent }, amount) => {
    const { order } = row;
    const { cells, hide } = maskRow(row);
    const ids = idsOf(row.row, cells);
    const reference = textElement('AcctSvcrRef', idText(sent.transaction_id), ID_MAX);
    const references = group(
      'Refs',
      textElement('MsgId', ids.message, ID_MAX),
      reference,
      textElement('PmtInfId', ids.group, ID_MAX),
      textElement('InstrId', ids.instruction, ID_MAX),
      textElement('EndToEndId', ids.payment, ID_MAX),
      textElement('TxId', idText(sent.transaction_id), ID_MAX),
    );
    const { details, unstated } = convertedParts(final, amount);
    const inWords = [
      ...(idText(sent.transaction_id) === sent.transaction_id
        ? []
        : [messages.bankFiles.transactionText(sent.transaction_id)]),
      ...(unstated === null ? [] : [messages.bankFiles.receivedText(...unstated)]),
    ].join(' ');
    const transaction = group(
      'TxDtls',
      references,
      amountElement('Amt', amount),
      direction,
      details,
      charges(final),
      group('RltdPties', group('Cdtr', textElement('Nm', hide(order.payee.name), NAME_MAX)), creditorAccount(order)),
      group('RmtInf', textElement('Ustrd', order.reference === null ? null : hide(order.reference), REFERENCE_MAX)),
      textElement('AddtlTxInf', inWords, WORDS_MAX),
    );
    return `${group(
      'Ntry',
      textElement('NtryRef', idText(`${headerOf(run).run_id}-${row.row}`), ID_MAX),
      amountElement('Amt', amount),
      direction,
      status,
      group('BookgDt', codeElement('Dt', isoUtc(finishedAt).slice(0, '2026-11-25'.length))),
      reference,
      transactionCode(order.destination),
      group('NtryDtls', transaction),
    )}\n`;
  };
}

/** Where another currency arrived than left: both amounts and the rate. `unstated`: an amount that arrived in what has no ISO code. */
function convertedParts(
  { sent_currency, received_minor, received_currency }: Completed['final'],
  amount: IsoAmount,
): { details: string; unstated: [amount: string, currency: string] | null } {
  if (received_currency.code === sent_currency.code && received_currency.chain === sent_currency.chain)
    return { details: '', unstated: null };
  const received = isoAmount(received_minor, received_currency);
  if (received === null) return { details: '', unstated: plainAmount(received_minor, received_currency) };
  const rate = isoRate(amount, received);
  const exchange =
    rate === null
      ? ''
      : group(
          'CcyXchg',
          codeElement('SrcCcy', amount.currency),
          codeElement('TrgtCcy', received.currency),
          codeElement('UnitCcy', amount.currency),
          codeElement('XchgRate', rate),
        );
  const details = group(
    'AmtDtls',
    group('InstdAmt', amountElement('Amt', received)),
    group('TxAmt', amountElement('Amt', amount), exchange),
  );
  return { details, unstated: null };
}

/** Fees are on top, an entry of their own in the account's currency. */
function charges({ fees_minor, sent_currency }: Completed['final']): string {
  const fees = isoAmount(fees_minor, sent_currency);
  if (fees === null || fees.units === 0n) return '';
  const record = [amountElement('Amt', fees), codeElement('CdtDbtInd', 'DBIT'), codeElement('ChrgInclInd', 'false')];
  return group('Chrgs', amountElement('TtlChrgsAndTaxAmt', fees), group('Rcrd', ...record));
}

function plainAmount(minor: string, currency: Currency): [amount: string, currency: string] {
  return [formatMajor(BigInt(minor), currency.decimals), currencyLabel(currency)];
}
