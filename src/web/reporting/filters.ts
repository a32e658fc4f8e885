import type { HistoricPayout } from '../../app/history/payouts.ts';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { isoUtc } from '../../domain/time.ts';
import { messages } from '../../messages/messages.ts';
import { searchable } from '../../messages/text.ts';
import type { WebContext } from '../web.ts';

export const TEXT_MAX = 100;

/** Which payouts are asked for. `from` and `to` are days in UTC (`2026-11-25`), both included. */
export type Asked = {
  q: string;
  state: string | null;
  currency: string | null;
  from: string | null;
  to: string | null;
};

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** What cannot be read is not asked for. */
export function askedOf(context: WebContext): Asked {
  const { q = '', state = '', currency = '', from = '', to = '' } = context.req.query();
  return {
    q: q.trim().slice(0, TEXT_MAX),
    state: Object.hasOwn(messages.outcomes.STATUS_LABELS, state) ? state : null,
    currency: currency === '' ? null : currency.slice(0, TEXT_MAX),
    from: DAY.test(from) ? from : null,
    to: DAY.test(to) ? to : null,
  };
}

/** The payouts that are asked for, in the order of the book; and of all states, those with the rest of it. */
export function payoutsFor({ payouts }: PayeeBook, { state, ...asked }: Asked) {
  const isMeant = matcher(asked);
  const all = payouts.filter(isMeant);
  return { all, rows: state === null ? all : all.filter(({ status }) => status === state) };
}

function matcher({ q, currency, from, to }: Omit<Asked, 'state'>): (payout: HistoricPayout) => boolean {
  // An amount may be typed with separators of thousands.
  const wanted = searchable(/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(q) ? q.replaceAll(',', '') : q);
  return (payout) => {
    if (currency !== null && currencyLabel(payout.currency) !== currency) return false;
    if (from !== null || to !== null) {
      const day = isoUtc(payout.payment.at).slice(0, 10);
      if ((from !== null && day < from) || (to !== null && day > to)) return false;
    }
    return wanted === '' || payout.searched.includes(wanted) || searchable(payout.payment.run_id).includes(wanted);
  };
}
