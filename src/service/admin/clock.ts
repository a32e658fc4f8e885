import { z } from 'zod';
import type { Core } from '../core.ts';
import { accepted, badRequest, type Outcome } from '../gateway/answers.ts';
import { isoText, keepClock, type ServiceClock } from '../time/clock.ts';
import { type AdminOperations, type AdminTools, direct, nothing } from './operation.ts';

/** A hundred years: the clock goes only forward, so nobody should get it wrong by more. */
const ADVANCE_MAX_MS = 3_155_760_000_000;
/** The beginning of the year 9999: times have four digits for the year, and what is planned lies less than one ahead. */
const CLOCK_END_MS = 253_370_764_800_000;

const milliseconds = z.strictObject({ ms: z.int().min(0).max(ADVANCE_MAX_MS) });
const moment = z.strictObject({ unix_ms: z.int().min(0) });

export const CLOCK_OPERATIONS: AdminOperations = {
  'clock.advance': direct(
    'a day passes, and what is due by then happens',
    milliseconds,
    { ms: 86_400_000 },
    advanceClock,
  ),
  'clock.set': direct('only forward', moment, { unix_ms: 1_798_761_600_000 }, setClock),
  'clock.freeze': direct('it stands still, also after a restart; nothing settles on its own', nothing, {}, (tools) =>
    moveClock(tools, (clock) => clock.freeze()),
  ),
  'clock.resume': direct('it goes on from where it stood', nothing, {}, (tools) =>
    moveClock(tools, (clock) => clock.resume()),
  ),
  'clock.skew': direct('the other clock: by which requests live and die', milliseconds, { ms: 90_000 }, skewClock),
};

export function clockState({ clock }: Core) {
  const { offsetMs, frozenAtMs } = clock.standing();
  return {
    now: isoText(clock.wallMs()),
    unix_ms: Math.floor(clock.wallMs()),
    clock_offset_ms: Math.round(offsetMs),
    frozen: frozenAtMs !== null,
  };
}

/**
 * Moves the clock first and then keeps how it stands, so that a restart goes on in the same time. Not inside a
 * transaction: one that holds a request which is late is run again, and would move the clock again.
 */
async function moveClock({ core, data }: AdminTools, move: (clock: ServiceClock) => void): Promise<Outcome> {
  move(core.clock);
  const outcome = await core.committer.submit(() => {
    keepClock(core.store, core.clock.standing());
    return accepted(clockState(core));
  });
  data.background.clockMoved();
  return outcome;
}

async function advanceClock(tools: AdminTools, { ms }: { ms: number }): Promise<Outcome> {
  if (tools.core.clock.wallMs() + ms > CLOCK_END_MS) return badRequest('INVALID', 'the clock ends with the year 9998');
  return moveClock(tools, (clock) => clock.advance(ms));
}

async function setClock(tools: AdminTools, { unix_ms }: { unix_ms: number }): Promise<Outcome> {
  const ms = unix_ms - tools.core.clock.wallMs();
  if (ms < 0) return badRequest('INVALID', 'unix_ms: the clock goes only forward');
  if (ms > ADVANCE_MAX_MS) return badRequest('INVALID', 'unix_ms: is more than a hundred years ahead');
  return advanceClock(tools, { ms });
}

/** Lets requests live and die as if the machine's clock were wrong. Forgotten at a restart. */
function skewClock({ core }: AdminTools, { ms }: { ms: number }): Outcome {
  if (core.machine.skew(ms)) return accepted({ skew_ms: ms });
  return badRequest('INVALID', 'ms: the skew only grows, because a request that has died must not live again');
}
