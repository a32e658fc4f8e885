import { Hono } from 'hono';
import type { EditOrder } from '../../app/edits/edit-orders.ts';
import { amountOf, type HistoricPayout } from '../../app/history/payouts.ts';
import type { BookedPayee } from '../../app/payees/payee-book.ts';
import type { Person } from '../../app/people/people.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { shownDay } from '../../messages/local-time.ts';
import { searchable } from '../../messages/text.ts';
import { bookFor } from '../payees/payee-books.ts';
import { requireRole } from '../require-role.ts';
import { accountWords } from '../shell/account.ts';
import { amountText } from '../shell/words.ts';
import { onUpload } from '../uploads/uploads-route.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';

/** Recipients that are listed at once; who is not among them is searched for. */
const LISTED_MAX = 20;
const SEARCH_MAX = 100;
const PATIENCE_MS = 2_000;

/** A column of the grid: its place in the file, and what its header maps to. */
type GridColumn = { at: number; means: string | null };

/**
 * The recipients that were paid before, to be put into a row; with `of`, those of this payee ID, or of this name where they have
 * none. Accounts in the list are masked.
 */
export function recipientRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/uploads/:id/recipients', requireRole('preparer'), onUpload(list));
  return app;
}

async function list(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const book = await bookFor(web, person, PATIENCE_MS);
  if (book === null) return context.json({ state: 'reading' });
  const search = searchable((context.req.query('search') ?? '').slice(0, SEARCH_MAX));
  const of = context.req.query('of')?.slice(0, SEARCH_MAX).trim();
  const recipients: object[] = [];
  for (const payee of book.payees) {
    const last = lastPaid(payee);
    if (last === undefined || !payee.searched.includes(search)) continue;
    const { id, name, payeeId } = payee;
    if (of !== undefined && of !== (payeeId ?? name)) continue;
    const amount = amountText(...amountOf(last));
    const paid = shownDay(last.finishedAt ?? last.payment.at);
    recipients.push({
      id,
      name,
      payeeId,
      account: accountWords(last),
      currency: currencyLabel(last.currency),
      amount,
      paid,
    });
    if (recipients.length === LISTED_MAX) break;
  }
  return context.json({ state: 'ready', recipients });
}

/** What puts a recipient into a row: each column of theirs as it was paid last. Null where nobody such was paid. */
export async function recipientOrders(
  { web, person }: { web: Web; person: Person },
  { id, row }: { id: string; row: number },
  columns: readonly GridColumn[],
): Promise<EditOrder[] | null> {
  const book = await bookFor(web, person, PATIENCE_MS);
  const payee = book?.byId.get(id);
  const last = payee && lastPaid(payee);
  const paid = last && (await web.runs.read(last.payment.run_id));
  const order = paid?.run.rows.find((one) => one.row === last?.row)?.order;
  if (!order) return null;
  const values = valuesOf(order);
  return columns.flatMap(({ at, means }): EditOrder[] => {
    const text = means === null ? undefined : values[means];
    return text === undefined ? [] : [{ kind: 'set', row, column: at, texts: [text] }];
  });
}

function lastPaid({ payouts }: BookedPayee): HistoricPayout | undefined {
  return payouts.find(({ status }) => status === 'completed');
}

/** By canonical column. What the payee has none of is empty, so that nothing of another one stays. */
function valuesOf({ payee, destination, currency }: PayoutOrder): Readonly<Record<string, string>> {
  const known = { name: payee.name, payee_id: payee.payee_id ?? '', email: payee.email ?? '', currency: currency.code };
  if (destination.kind === 'existing') return { ...known, external_account_id: destination.external_account_id };
  const { rail, account_name, fields } = destination;
  const texts = Object.entries(fields).map(([column, value]) => [column, value ?? ''] as const);
  return { ...known, rail, account_name, ...Object.fromEntries(texts) };
}
