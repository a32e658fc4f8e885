import type { Transaction } from '../../client/wire.ts';
import type { Intent } from '../../domain/entry.ts';
import type { RunContext } from '../run-context.ts';
import { hasToken } from '../token.ts';
import { isAmountOf, isReturn, listTransactions, readTransaction } from './transactions.ts';

/** Pages of one search: half a million transactions. */
const PAGES_MAX = 1_000;

/**
 * What the service holds of one attempt. `mismatch`: a record carries the token and is not what we sent, so that sending
 * again would be wrong and adopting it too. `twice`: several carry it.
 */
export type Match =
  | { kind: 'one'; id: string }
  | { kind: 'none' }
  | { kind: 'mismatch' | 'twice'; ids: string[]; why: string };

/** Searches by the token. `complete`: the answer holds everything that it was asked for. */
export async function search(context: RunContext, intent: Intent): Promise<{ match: Match; complete: boolean }> {
  const { records, complete } = await listTransactions(context, { search: intent.token }, { pagesMax: PAGES_MAX });
  return { match: await matchOf(context, intent, records), complete };
}

/** Which of the records are the attempt's. */
export async function matchOf(context: RunContext, intent: Intent, records: readonly Transaction[]): Promise<Match> {
  const marked = records.filter((record) => mentions(record, intent.token));
  const ids = [...new Set(marked.map((record) => record.id))];
  const stranger = marked.find((record) => !isOurs(record, intent));
  if (stranger !== undefined) {
    const how = isAmountOf(stranger, intent) ? 'only as a part of another word' : 'with another amount or currency';
    return { kind: 'mismatch', ids, why: `${stranger.id} carries its token ${intent.token}, ${how}` };
  }
  const own: string[] = [];
  let why = '';
  for (const id of ids) {
    const other = await whyAnothers(context, intent, id);
    if (other === null) own.push(id);
    else why = other;
  }
  const [id] = own;
  if (id === undefined) return ids.length === 0 ? { kind: 'none' } : { kind: 'mismatch', ids, why };
  if (own.length === 1) return { kind: 'one', id };
  return {
    kind: 'twice',
    ids: own,
    why: `the service holds ${own.length} transactions with its token ${intent.token}`,
  };
}

/** Anywhere in the description and in any case. */
function mentions(record: Transaction, token: string): boolean {
  return !isReturn(record) && record.metadata?.description?.toUpperCase().includes(token) === true;
}

/** Ours: the token as a whole word, and the currencies and amounts of the intent. */
function isOurs(record: Transaction, intent: Intent): boolean {
  return hasToken(record.metadata?.description, intent.token) && isAmountOf(record, intent);
}

/** Why a record with the attempt's token is not the attempt's; null where nothing shows that. */
async function whyAnothers(context: RunContext, intent: Intent, id: string): Promise<string | null> {
  const owner = context.owners.get(id);
  if (owner !== undefined && owner !== intent.row) return `${id} carries its token and is row ${owner}'s`;
  const isElsewhere = await paysAnother(context, id, intent.external_account_id);
  if (isElsewhere !== null) return isElsewhere ? `${id} carries its token and pays another account` : null;
  // A record that cannot be read now takes nothing back of a mismatch that was seen before.
  const payout = context.payout(intent.row);
  return payout.state === 'unresolved' && payout.about === 'mismatch' ? payout.reason : null;
}

/** A listing does not show where the money went; the single record may. Null where it does not, or cannot be read. */
export async function paysAnother(context: RunContext, id: string, accountId: string): Promise<boolean | null> {
  const account = (await readTransaction(context, id))?.external_account_metadata?.id;
  return account ? account !== accountId : null;
}
