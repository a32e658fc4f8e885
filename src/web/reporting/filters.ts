import type { HistoricPayout } from '../../app/history/payouts.ts';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import type { TagsByPayee } from '../../app/people/payee-tags.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { entityOfRun } from '../../domain/run/entity.ts';
import { parseDate } from '../../domain/time.ts';
import { instantOf } from '../../domain/zone.ts';
import { messages } from '../../messages/messages.ts';
import { searchable } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { viewer } from '../../messages/viewer.ts';
import { askedTag, tagChoice, taggedWith } from '../payees/tags.ts';
import { TEXT_MAX } from '../shell/filter-line.ts';
import { type Html, html } from '../shell/html.ts';
import { option } from '../shell/parts.ts';
import type { WebContext } from '../web.ts';
import type { Entity } from './spend.ts';
import { compareTyped, readTypedAmount, type TypedAmount } from './typed-amount.ts';

/**
 * Which payouts are asked for. `from` and `to` are days where the viewer is (`2026-11-25`), `min` and `max` amounts of a payout's own
 * currency as they were typed; all included.
 */
export type Asked = {
  q: string;
  state: string | null;
  currency: string | null;
  entity: string | null;
  from: string | null;
  to: string | null;
  min: string | null;
  max: string | null;
  tag: string | null;
};

/** Of a payout that came back, which no other state is then. */
export const RETURNED = 'returned';

/** What cannot be read is not asked for, but for amounts, of which the page says so. */
export function askedOf(context: WebContext): Asked {
  const {
    q = '',
    state = '',
    currency = '',
    entity = '',
    from = '',
    to = '',
    min = '',
    max = '',
  } = context.req.query();
  const text = (given: string) => (given.trim() === '' ? null : given.trim().slice(0, TEXT_MAX));
  return {
    q: q.trim().slice(0, TEXT_MAX),
    state: state === RETURNED || Object.hasOwn(messages.outcomes.STATUS_LABELS, state) ? state : null,
    currency: text(currency),
    entity: text(entity),
    from: parseDate(from) === null ? null : from,
    to: parseDate(to) === null ? null : to,
    min: text(min),
    max: text(max),
    tag: askedTag(context),
  };
}

/** The amounts that were typed and cannot be read. */
export function unreadAmounts({ min, max }: Asked): string[] {
  return [min, max].flatMap((typed) => (typed !== null && readTypedAmount(typed) === null ? [typed] : []));
}

/** The payouts that are asked for, in the order of the book; and of all states, those with the rest of it. */
export function payoutsFor({ payouts }: PayeeBook, { state, ...asked }: Asked, tags: TagsByPayee) {
  const isMeant = matcher(asked, taggedWith(tags, asked.tag));
  const all = payouts.filter(isMeant);
  return { all, rows: state === null ? all : all.filter((payout) => stateOf(payout) === state) };
}

export function stateOf({ status, returned }: HistoricPayout): string {
  return returned === null ? status : RETURNED;
}

function matcher(
  asked: Omit<Asked, 'state'>,
  isTagged: (payee: string) => boolean,
): (payout: HistoricPayout) => boolean {
  const { q, currency, entity } = asked;
  // An amount may be typed with separators of thousands.
  const wanted = searchable(/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(q) ? q.replaceAll(',', '') : q);
  const isInTime = timesOf(asked);
  const [min, max] = [amountOf(asked.min), amountOf(asked.max)];
  return (payout) => {
    const { payment, minor } = payout;
    if (currency !== null && currencyLabel(payout.currency) !== currency) return false;
    if (entity !== null && entityOfRun(payment) !== entity) return false;
    if (!isInTime(payment.at) || !isTagged(payout.payee)) return false;
    const { decimals } = payout.currency;
    if (min !== null && compareTyped(minor, decimals, min) < 0) return false;
    if (max !== null && compareTyped(minor, decimals, max) > 0) return false;
    return wanted === '' || payout.searched.includes(wanted) || searchable(payment.run_id).includes(wanted);
  };
}

function amountOf(typed: string | null): TypedAmount | null {
  return typed === null ? null : readTypedAmount(typed);
}

function timesOf({ from, to }: Pick<Asked, 'from' | 'to'>): (at: number) => boolean {
  const midnight = (date: string, later: number) =>
    instantOf({ day: (parseDate(date) ?? 0) + later, hour: 0, minute: 0 }, viewer().timeZone);
  const first = from === null ? Number.NEGATIVE_INFINITY : midnight(from, 0);
  const end = to === null ? Number.POSITIVE_INFINITY : midnight(to, 1);
  return (at) => first <= at && at < end;
}

/** The active filters other than the state, in words. */
export function activeFilters({ q, tag, currency, entity, from, to, min, max }: Asked, entities: readonly Entity[]) {
  return {
    q: q === '' ? null : `“${q}”`,
    currency,
    tag,
    entity: entities.find(({ id }) => id === entity)?.name ?? entity,
    from: from && t`From ${from}`,
    to: to && t`To ${to}`,
    min: min && t`At least ${min}`,
    max: max && t`At most ${max}`,
  };
}

type Offered = { book: PayeeBook; entities: readonly Entity[]; tags: readonly string[] };

/** The filters that are not pills. */
export function otherFields(asked: Asked, { book: { currencies }, entities, tags }: Offered): Html {
  const { currency, entity, from, to, min, max } = asked;
  const ofEntity =
    entities.length > 1 &&
    html`<label>Entity <select name="entity"><option value="">all entities</option>${entities.map(({ id, name }) => option(id, name, id === entity))}</select></label>`;
  return html`<label>Currency <select name="currency"><option value="">all</option>${currencies.map((one) => option(one, one, one === currency))}</select></label>
<div class="pair"><label>From <input type="date" name="from" value="${from}"></label>
<label>Until <input type="date" name="to" value="${to}"></label></div>
<div class="pair"><label>At least <input name="min" value="${min}" maxlength="40" inputmode="decimal" placeholder="0.00" autocomplete="off"></label>
<label>At most <input name="max" value="${max}" maxlength="40" inputmode="decimal" placeholder="0.00" autocomplete="off"></label></div>
${ofEntity}
${tagChoice(tags, asked.tag)}`;
}
