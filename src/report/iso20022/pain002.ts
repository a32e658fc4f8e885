import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { messages } from '../../messages/messages.ts';
import { rowMasker } from '../model/identifiers.ts';
import { headerOf, isRehearsal, type Report } from '../model/report.ts';
import type { ReportRow } from '../model/rows.ts';
import type { ReportText } from '../report-text.ts';
import { creditorAccount, messageHead, NAME_MAX, payoutIds } from './bank-message.ts';
import { amountElement, isoAmount } from './iso-amounts.ts';
import { ID_MAX, idText } from './iso-ids.ts';
import { NOT_PROVIDED, originalIds } from './originals.ts';
import { reasonOf } from './payout-reasons.ts';
import type { Reason } from './reasons.ts';
import { groupStatusOf, type TxStatus, txCountsOf, txStatusOf } from './statuses.ts';
import { codeElement, documentOf, group, linesOf, textElement } from './xml.ts';

const MESSAGE = 'pain.002.001.10';

/** Max105Text; a message of a service's own may be of any length. */
const LINE_MAX = 105;
const LINES_MAX = 20;

/** What became of each payout, as a payment status report. */
export function pain002Text(report: Report): ReportText {
  const { start, end } = documentOf(MESSAGE);
  const idsOf = payoutIds(report.run);
  const transaction = transactionWriter();
  let openGroup: string | null = null;
  const close = () => (openGroup === null ? '' : '</OrgnlPmtInfAndSts>\n');
  return {
    start: () => [
      `${start}<CstmrPmtStsRpt>\n`,
      `${group('GrpHdr', messageHead(report, 'STATUS'))}\n`,
      original(report),
    ],
    row(row) {
      const ids = idsOf(row.row, row.cells);
      let text = '';
      if (openGroup !== ids.group) {
        text = `${close()}<OrgnlPmtInfAndSts>${textElement('OrgnlPmtInfId', ids.group, ID_MAX)}\n`;
        openGroup = ids.group;
      }
      const known = `${textElement('OrgnlInstrId', ids.instruction, ID_MAX)}${textElement('OrgnlEndToEndId', ids.payment, ID_MAX)}`;
      return `${text}${group('TxInfAndSts', known, transaction(row))}\n`;
    },
    get end() {
      return `${close()}</CstmrPmtStsRpt>${end}`;
    },
  };
}

/** Of the message that ordered the payouts: the input's own where it was one, else the run. */
function original({ run }: Report): string {
  const first = run.rows.at(0);
  const { run_id: runId, input } = headerOf(run);
  const { message, messageName } = originalIds(input)(first === undefined ? [] : rowMasker(input)(first).cells);
  const counts = txCountsOf(run);
  const status = groupStatusOf(counts);
  const perStatus = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([code, count]) => group('NbOfTxsPerSts', codeElement('DtldNbOfTxs', count), codeElement('DtldSts', code)));
  return `${group(
    'OrgnlGrpInfAndSts',
    textElement('OrgnlMsgId', idText(message ?? runId), ID_MAX),
    textElement('OrgnlMsgNmId', (message === null ? null : messageName) ?? NOT_PROVIDED, ID_MAX),
    codeElement('OrgnlNbOfTxs', run.rows.length),
    status === null ? '' : codeElement('GrpSts', status),
    isRehearsal(run) ? statusReason('NARR', messages.outcomes.rehearsalBand()) : '',
    ...perStatus,
  )}\n`;
}

/** What is reported of a payout, behind its ids. */
function transactionWriter(): (row: ReportRow) => string {
  return ({ result, payout, source: { order }, hide }) => {
    const status = txStatusOf(payout, result.status);
    const instructed = order === null ? null : isoAmount(order.amount_minor, order.currency);
    const unstated =
      order === null || instructed !== null ? [] : [messages.bankFiles.amountInWords(...plainAmount(order))];
    const explanation = [...(result.message === null ? [] : [result.message]), ...unstated].join(' ');
    const reference = result.transaction_id;
    return [
      codeElement('TxSts', status),
      explanation === '' && status !== 'RJCT'
        ? ''
        : statusReason(reasonFor(status, payout, explanation !== ''), explanation),
      reference === null ? '' : textElement('AcctSvcrRef', idText(reference), ID_MAX),
      order === null
        ? ''
        : group(
            'OrgnlTxRef',
            instructed === null ? '' : group('Amt', amountElement('InstdAmt', instructed)),
            group('Cdtr', group('Pty', textElement('Nm', hide(order.payee.name), NAME_MAX))),
            creditorAccount(order),
          ),
    ].join('');
  };
}

function reasonFor(status: TxStatus, payout: ReportRow['payout'], hasWords: boolean): Reason {
  return status === 'RJCT' ? reasonOf(payout, hasWords) : 'NARR';
}

function statusReason(reason: Reason, explanation: string): string {
  const lines = linesOf(explanation, LINE_MAX, LINES_MAX).map((line) => textElement('AddtlInf', line, LINE_MAX));
  return group('StsRsnInf', group('Rsn', codeElement('Cd', reason)), ...lines);
}

function plainAmount({ amount_minor, currency }: PayoutOrder): [amount: string, currency: string] {
  return [formatMajor(BigInt(amount_minor), currency.decimals), currencyLabel(currency)];
}
