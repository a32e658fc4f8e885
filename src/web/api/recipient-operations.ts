import { z } from 'zod';
import type { BookedPayee } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import { isoUtc } from '../../domain/time.ts';
import { bookFor } from '../payees/payee-books.ts';
import { pageById } from './cursor.ts';
import { operation } from './operation.ts';
import { ApiProblem } from './problem.ts';
import { paging, shapes } from './shapes.ts';

/** How long a request waits for the payees to be gathered from the newest runs. */
const BOOK_WAIT_MS = 30_000;

const list = operation({
  id: 'listRecipients',
  method: 'get',
  path: '/recipients',
  summary: 'List the recipients of the newest runs, by name',
  scopes: ['recipients:read'],
  query: z.object(paging),
  answers: { 200: shapes.recipients },
  problems: [],
  handle: async ({ web, person, query }) => {
    const book = await bookFor(web, person, BOOK_WAIT_MS);
    if (book === null)
      throw new ApiProblem('unavailable', 'The runs are still being read.', { headers: { 'retry-after': '5' } });
    const page = pageById(book.payees, ({ id }) => id, query.cursor, query.limit);
    return { status: 200, body: { ...page, items: page.items.map(shownRecipient) } };
  },
});

export const recipientOperations = [list];

function shownRecipient({ id, payeeId, name, payouts: [newest], currencies, paid }: BookedPayee) {
  return {
    id,
    payee_id: payeeId,
    name,
    account: newest?.account ?? null,
    currencies,
    payments: paid.times,
    totals: paid.totals.map(({ minor, currency }) => ({
      currency: currencyLabel(currency),
      amount: formatMajor(minor, currency.decimals),
    })),
    last_paid_at: paid.lastAt === null ? null : isoUtc(paid.lastAt),
  };
}
