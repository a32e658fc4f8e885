import { z } from 'zod';
import type { InputEdit } from '../../domain/entries/edits.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { CoolingReason } from '../../domain/problems/payment-problems.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { shownDay } from '../../messages/local-time.ts';
import { messages } from '../../messages/messages.ts';
import { t } from '../../messages/translate.ts';
import { seesRun } from '../../messages/viewer.ts';
import { accountSeen } from '../../report/model/identifiers.ts';
import { shortAccount, shownAccount } from '../shell/account.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { plainMoney } from '../shell/money.ts';
import { type Column, count, moment } from '../shell/parts.ts';
import { paymentLink } from './payment-link.ts';
import type { ShownWarning } from './plan-view.ts';

/** A warning, and the payout that it is about; null where it is about none. */
export type Line = { warning: ShownWarning; order: PayoutOrder | null };

/** What is known beside the warnings themselves. */
export type Look = {
  /** What people changed in the file, by row. */
  edits: ReadonlyMap<number, readonly InputEdit[]>;
  header: RunState['header'];
  /** Of payments, what they are called. */
  names: ReadonlyMap<string, string> | undefined;
};

/** How warnings of one kind are shown. `columns`: between the recipient and the amount. */
export type Kind = {
  code: string;
  title: () => string;
  /** What to do about all of them; null where their own words say it. */
  hint: (() => string) | null;
  isGrave: boolean;
  /** Whether their number tells anything. */
  isCounted: boolean;
  columns: (look: Look, isOneRemedy: boolean) => Column<Line>[];
};

type Own = Partial<Omit<Kind, 'code' | 'title'>>;

const grave = (code: string, title: () => string, own: Own = {}): Kind => ({
  ...{ code, title, hint: null, isGrave: true, isCounted: true, columns: messageColumn, ...own },
});
const light = (code: string, title: () => string, own: Own = {}): Kind =>
  grave(code, title, { isGrave: false, ...own });

/** The most important first; what has no words here comes last. */
export const KINDS: readonly Kind[] = [
  grave('account_changed', () => t`Account details changed`, {
    hint: () => t`Confirm by phone, with a number you already have`,
    columns: (look) => [
      [t`Paid to before, now`, ({ warning, order }) => changeCell(warning, order)],
      [t`Changed by`, ({ warning }) => changedBy(warning, look), 'small'],
    ],
  }),
  grave('paid_before', () => t`Possible repeat`, {
    columns: ({ names }) => [[t`Paid before`, ({ warning }) => paidCell(warning, names)]],
  }),
  grave('payee_on_hold', () => t`On hold, left out`),
  grave('cooling_off', () => t`To be approved one by one`, {
    columns: () => [ACCOUNT(), [t`Reason`, ({ warning }) => coolingCell(warning)]],
  }),
  grave('possible_duplicate', () => t`Possible duplicates in the file`),
  grave('unknown_payment', () => t`At the service but not in this journal`),
  grave('balance_short', () => t`The balance is short`, { isCounted: false }),
  light('payee_first_time', () => t`New recipients`, { columns: () => [ACCOUNT()] }),
  light('account_first_time', () => t`Known recipients on new accounts`, { columns: () => [ACCOUNT()] }),
  light('amount_changed', () => t`Amount changed since last time`, {
    columns: () => [[t`Last time`, ({ warning }) => lastAmount(warning), 'number']],
  }),
  light('payee_missing', () => t`Not paid this time`, { isCounted: false }),
];

/** In the address of its pages, the kind of what has no words above. */
export const OTHER_KIND: Kind = light('other', () => t`About the file`);

/** The remedy that all warnings of a kind share; null if they differ. */
export function remedyOf(found: readonly ShownWarning[]): string | null {
  const [first] = found;
  return first !== undefined && found.every(({ remedy }) => remedy === first.remedy) ? first.remedy : null;
}

function messageColumn(_look: Look, isOneRemedy: boolean): Column<Line>[] {
  const cell = ({ warning: { message, remedy, row } }: Line) =>
    html`<span class="soft">Row ${row}.</span> ${message}${!isOneRemedy && html` <span class="soft">${remedy}</span>`}`;
  return [[t`Warning`, cell]];
}

const ACCOUNT = (): Column<Line> => [
  t`Account`,
  ({ order }) => order && shownAccount(accountSeen(order.destination)),
  'small',
];

/** What plans of earlier versions kept of a warning has its own words. */
const mention = z.object({ id: z.string(), at: z.number() });
const changed = z.object({
  change: z.object({ was: z.string(), now: z.string(), run: mention }),
  corrected: z.null(),
});
const paid = z.object({
  run: mention.nullable(),
  more: z.number(),
  standing: z.enum(['paid', 'perhaps', 'waiting']),
});
const cooling = z.object({ why: z.custom<CoolingReason>((why) => typeof why === 'object' && why !== null) });
const amounts = z.object({ before: z.object({ amount: z.string(), currency: z.string() }) });

/** The account that was paid last, which leads to that payment, and the one of now. */
function changeCell({ params, message }: ShownWarning, order: PayoutOrder | null): Shown {
  const { data } = changed.safeParse(params);
  if (data === undefined || order === null) return message;
  const { was, now, run } = data.change;
  const before = shortAccount(was);
  const struck = seesRun(run.id)
    ? html`<a href="/runs/${run.id}" title="${shownDay(run.at)}"><s>${before}</s></a>`
    : html`<s>${before}</s>`;
  const alike = before === shortAccount(now) && html`<small class="care">${t` (differs in the hidden digits)`}</small>`;
  return html`<span class="from-to"><span class="hidden">was </span>${struck} <span aria-hidden="true">→</span> <span class="hidden">now </span>${shownAccount(accountSeen(order.destination))}${alike}</span>`;
}

const ACCOUNT_CELLS: ReadonlySet<string | null> = new Set([
  ...['account_number', 'bic', 'external_account_id', 'national_clearing_code', 'wallet_address'],
]);

function changedBy({ row }: ShownWarning, { edits, header }: Look): Html {
  const own = (row === null ? undefined : edits.get(row)) ?? [];
  const edit = own.findLast(
    (one) =>
      one.kind === 'row_added' || (one.kind === 'cell' && ACCOUNT_CELLS.has(header?.input.columns[one.column] ?? null)),
  );
  return edit === undefined ? html`In this file` : html`${edit.by}, ${moment(edit.at, 'sentence')}`;
}

function paidCell({ params, message }: ShownWarning, names: Look['names']): Shown {
  const { data } = paid.safeParse(params);
  if (data === undefined || data.run === null) return message;
  const { run, more, standing } = data;
  const payment = paymentLink(run.id, names);
  const others = more > 0 && html` and ${count(more)} more`;
  if (!seesRun(run.id)) return html`Same amount in ${payment}${others}`;
  const day = shownDay(run.at);
  if (standing === 'waiting') return html`Same amount, not sent yet, in ${payment}${others}`;
  return standing === 'paid'
    ? html`Same amount on ${day} in ${payment}${others}`
    : html`Perhaps the same amount on ${day} in ${payment}${others}`;
}

function coolingCell({ params, message }: ShownWarning): string {
  const { data } = cooling.safeParse(params);
  return data === undefined ? message : messages.problems.coolingReasonText(data.why);
}

function lastAmount({ params, message }: ShownWarning): Shown {
  const { data } = amounts.safeParse(params);
  return data === undefined ? message : plainMoney(data.before);
}
