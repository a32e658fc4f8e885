import { sha256 } from '../../domain/hashing.ts';
import { assert } from '../../domain/refusal.ts';
import type { SharedLimit, SlotsGiven } from '../../domain/shared-limit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Row } from '../../platform/sqlite.ts';
import type { ClockOffset } from './clock-offset.ts';
import type { Connection } from './connection.ts';

const SQL = 'SELECT * FROM take_slots($1, $2, $3, $4, $5, $6, $7)';

const US_PER_MS = 1_000;

/** Where the clock of the database is known less well than half of the time for which a slot lasts: by so much more it lasts. */
const UNCERTAIN_STEP_MS = 50;

/** The limit of a service and key, in the row of that name. The key itself is not stored. `offset`: of the database's clock. */
export function sharedLimitIn(db: Connection, clock: Clock, offset: ClockOffset, scope: string): SharedLimit {
  const name = sha256(scope);
  return {
    async takeSlots({ requests, windowMs, lateMs, count, noticeMs, pauseMs }) {
      const { uncertainMs } = offset;
      const moreMs = uncertainMs <= lateMs / 2 ? 0 : Math.ceil(uncertainMs / UNCERTAIN_STEP_MS) * UNCERTAIN_STEP_MS;
      const ownLateMs = lateMs + moreMs;
      let askedMs = 0;
      const row = await db.beside((client) => {
        // Not before there is a connection that is free.
        askedMs = clock.monotonicMs();
        const pace = [requests, microseconds(windowMs), microseconds(ownLateMs)];
        const values = [name, ...pace, count, microseconds(noticeMs), microseconds(pauseMs)];
        return client.query<Row>({ name: 'take_slots', text: SQL, values });
      });
      const { atMs, firstInMs, ...given } = givenIn(row);
      offset.note(askedMs, atMs, clock.monotonicMs());
      return { ...given, ownLateMs, first: offset.around(atMs + firstInMs) };
    },
  };
}

/** Rounded up: no pace gets faster by it. */
function microseconds(ms: number): number {
  return Math.ceil(ms * US_PER_MS);
}

type Given = Omit<SlotsGiven, 'first' | 'ownLateMs'> & { atMs: number; firstInMs: number };

function givenIn(row: Row): Given {
  const number = (name: string): number => {
    const value = row[name];
    assert(typeof value === 'number', 'the database gave slots without numbers');
    return value;
  };
  const ms = (name: string): number => number(name) / US_PER_MS;
  return {
    count: number('slots'),
    atMs: ms('asked_at'),
    firstInMs: ms('first_in'),
    everyMs: ms('every'),
    windowMs: ms('span'),
    lateMs: ms('late'),
    pausedMs: ms('paused_for'),
    againInMs: ms('again_in'),
  };
}
