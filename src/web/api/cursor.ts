import { Buffer } from 'node:buffer';
import { ApiProblem } from './problem.ts';

/** Where a page of a list begins: a place from 0, or the id of the item before it. */
const CURSOR = /^[\w-]{1,80}$/;

function cursorOf(place: string | number): string {
  return Buffer.from(String(place)).toString('base64url');
}

/** What a cursor of ours holds; null where none was sent. Throws an `ApiProblem` for another one. */
export function placeIn(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const place = Buffer.from(cursor, 'base64url').toString('latin1');
  if (CURSOR.test(place) && cursorOf(place) === cursor) return place;
  throw unknownCursor();
}

/** A page of a list whose items keep their places. */
export function pageByPlace<Item>(items: readonly Item[], cursor: string | undefined, limit: number) {
  const from = Number(placeIn(cursor) ?? 0);
  if (!Number.isSafeInteger(from)) throw unknownCursor();
  const next = from + limit;
  return { items: items.slice(from, next), next_cursor: next < items.length ? cursorOf(next) : null };
}

/** A page of a list to whose beginning more is added: it goes on after the item that was last. */
export function pageById<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  cursor: string | undefined,
  limit: number,
) {
  const after = placeIn(cursor);
  const at = after === null ? 0 : items.findIndex((item) => idOf(item) === after) + 1;
  if (after !== null && at === 0) throw unknownCursor();
  const page = items.slice(at, at + limit);
  const last = page.at(-1);
  return { items: page, next_cursor: last !== undefined && at + limit < items.length ? cursorOf(idOf(last)) : null };
}

function unknownCursor(): ApiProblem {
  const detail = 'Send a next_cursor as it was answered, or none for the first page.';
  return new ApiProblem('invalid_input', detail, { errors: [{ in: 'query', pointer: 'cursor', detail }] });
}
