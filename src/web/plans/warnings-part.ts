import type { RunRow } from '../../domain/entry.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { number } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { money } from '../shell/money.ts';
import { type Column, count, pageOf, pager, pathWith, table } from '../shell/parts.ts';
import { paymentLink } from './payment-link.ts';
import { EXAMPLE_ROW } from './plan-parts.ts';
import type { PlanExtras, ShownWarning } from './plan-view.ts';
import { KINDS, type Kind, type Line, type Look, OTHER_KIND, remedyOf } from './warning-kinds.ts';

/** More of one kind are in a list that is opened; of more than these in all, each kind has pages of its own. */
const SHOWN_AT_ONCE = 5;
const FOLDED_MAX = 50;
const OF_A_PAGE = 100;

/** The run whose warnings they are, and its rows by their numbers. */
type Warned = {
  run: Pick<RunState, 'header' | 'plan'>;
  rowOf(row: number): Pick<RunRow, 'order'> | undefined;
};

type WarningsShown = Pick<PlanExtras, 'warnings' | 'counts' | 'isKnown'> & Partial<Pick<PlanExtras, 'names'>>;

/** What is to be looked at before anybody approves: changed account details, who is paid once more, then all others. */
export function warningsPart(of: Warned, extras: WarningsShown): Html {
  return html`${graveWarnings(of, extras)}
${otherWarnings(of, extras)}`;
}

/** What can cost money: it comes before anything else. */
export function graveWarnings(of: Warned, extras: WarningsShown): Html {
  const repeats = of.run.header?.repeats ?? null;
  const repeated =
    repeats !== null &&
    html`<div class="card grave" role="alert"><h3>It pays everyone in ${paymentLink(repeats, extras.names)} again</h3>
<p>The preparer confirmed this. Approve it only if you know that all of them should be paid again.</p></div>`;
  return html`${repeated}${extras.isKnown ? quietLine(extras, repeats === null) : notCompared()}
${partsOf(of, extras, true)}`;
}

/** Warnings that cost no money. */
export function otherWarnings(of: Warned, extras: WarningsShown): Html | null {
  return extras.isKnown ? html`${partsOf(of, extras, false)}` : null;
}

function notCompared(): Html {
  return html`<p class="notice care" role="alert">It could not be compared with earlier payments, so changed bank details would not show here. Reload the page before you approve.</p>`;
}

function quietLine(extras: WarningsShown, isFirst: boolean): Html | null {
  if (!isFirst || kindsOf(extras).some(({ isGrave }) => isGrave)) return null;
  return html`<p class="nothing-found">${icon('check')} No changed account details and no repeated payments.</p>`;
}

function partsOf(of: Warned, extras: WarningsShown, isGrave: boolean): Html[] {
  if (!extras.isKnown) return [];
  const { warnings } = extras;
  const isFolded = warnings.length <= FOLDED_MAX;
  const kinds = kindsOf(extras).filter((kind) => kind.isGrave === isGrave);
  return kinds.map((kind) => {
    const shown = linesOf(of, kind.found.slice(0, SHOWN_AT_ONCE));
    const rest = kind.found.slice(SHOWN_AT_ONCE);
    if (rest.length === 0) return kindPart(of.run, extras, kind, shown);
    const words = t`${number(rest.length)} more`;
    const path = listPath(of.run.header?.run_id ?? '', { list: kind.code, page: 1 });
    const more = isFolded
      ? html`<details><summary>${words}</summary>${linesPart(of.run, extras, kind, linesOf(of, rest))}</details>`
      : html`<p><a href="${path}">${words}</a></p>`;
    return kindPart(of.run, extras, kind, shown, more);
  });
}

/** The address of a list that is too long for the page of a payment. */
export function listPath(runId: string, asked: { list: string; page: number }): string {
  return pathWith(`/runs/${runId}/warnings`, asked);
}

/** A page of the warnings of one kind; null where there are none of it. */
export function warningsOfKind(of: Warned, extras: WarningsShown, asked: { list: string; page: number }): Html | null {
  const kind = kindsOf(extras).find(({ code }) => code === asked.list);
  if (kind === undefined) return null;
  const { shown, ...pages } = pageOf(kind.found, asked.page, OF_A_PAGE);
  const left = (extras.counts[kind.code] ?? 0) - kind.found.length;
  const isLast = pages.page === pages.pages;
  const more = isLast && left > 0 && html`<p class="soft">and ${number(left)} more</p>`;
  return html`${kindPart(of.run, extras, kind, linesOf(of, shown), more)}
${pager(t`Pages of warnings`, pages, (page) => listPath(of.run.header?.run_id ?? '', { ...asked, page }))}`;
}

type FoundKind = Kind & { found: readonly ShownWarning[]; count: number };

/** The kinds of warnings that there are, the most important first. */
function kindsOf({ warnings, counts }: Pick<WarningsShown, 'warnings' | 'counts'>): FoundKind[] {
  const by = Map.groupBy(warnings, ({ code }) => code);
  const kinds = KINDS.flatMap((kind): FoundKind[] => {
    const found = by.get(kind.code);
    by.delete(kind.code);
    return found === undefined ? [] : [{ ...kind, found, count: Math.max(counts[kind.code] ?? 0, found.length) }];
  });
  const examples = by.get(EXAMPLE_ROW) ?? [];
  by.delete(EXAMPLE_ROW);
  const found = [...by.values(), examples].flat();
  return found.length === 0 ? kinds : [...kinds, { ...OTHER_KIND, found, count: found.length }];
}

/** Each warning with the payout that it is about. */
function linesOf(of: Warned, warnings: readonly ShownWarning[]): Line[] {
  return warnings.map((warning) => ({
    warning,
    order: warning.row === null ? null : (of.rowOf(warning.row)?.order ?? null),
  }));
}

function kindPart(
  run: Warned['run'],
  extras: WarningsShown,
  kind: FoundKind,
  shown: readonly Line[],
  more: Shown = null,
): Html {
  const { code, title, hint, isGrave, isCounted } = kind;
  const remedy = hint === null ? remedyOf(kind.found) : null;
  const tag = isCounted && html` <span class="tag">${count(kind.count)}</span>`;
  return html`<section class="titled${isGrave && ' urgent'}" aria-labelledby="kind-${code}"><div class="part-head"><h2 id="kind-${code}">${title()}${tag}</h2>${hint && html`<span class="soft small">${hint()}</span>`}</div>
${linesPart(run, extras, kind, shown)}
${more}
${remedy && html`<p class="soft small">${remedy}</p>`}</section>`;
}

/** A table of the payouts that they are about; a list where they are about something else. */
function linesPart(run: Warned['run'], { names }: WarningsShown, kind: FoundKind, lines: readonly Line[]): Html {
  const isOneRemedy = kind.hint !== null || remedyOf(kind.found) !== null;
  if (lines.some(({ order }) => order === null))
    return html`<ul class="points">${lines.map(({ warning }) => item(warning, isOneRemedy))}</ul>`;
  const look: Look = { edits: Map.groupBy(run.plan?.edits ?? [], ({ row }) => row), header: run.header, names };
  const columns: Column<Line>[] = [
    [t`Recipient`, ({ order }) => recipientCell(order), 'head'],
    ...kind.columns(look, isOneRemedy),
    [t`Amount`, ({ order }) => order && money(order.amount_minor, order.currency), 'number'],
  ];
  return table(kind.title(), columns, lines, { className: 'rows checks' });
}

function recipientCell(order: PayoutOrder | null): Html | null {
  if (order === null) return null;
  const { name, payee_id } = order.payee;
  return html`<span title="${t`Row ${order.row}`}">${name}</span>${payee_id && html` <span class="soft small">${payee_id}</span>`}`;
}

function item({ message, remedy, row }: ShownWarning, isOneRemedy: boolean): Html {
  return html`<li>${row !== null && html`<span class="soft">Row ${row}.</span> `}${message}${!isOneRemedy && html` <span class="soft">${remedy}</span>`}</li>`;
}
