import type { SignedRequest } from '../../domain/entry.ts';
import type { RunContext } from '../run-context.ts';
import { afterDeadlineMs, lagMs } from './deadlines.ts';

const LOOK_FIRST_MS = 250;
const LOOK_LONGEST_MS = 5_000;
const RESENDS_MAX = 3;
/** Complete lists that together prove absence, after the time in which a list may be late. */
const LISTS_FOR_ABSENCE = 3;
const LIST_PAUSE_MIN_MS = 1_000;
const LIST_PAUSE_MAX_MS = 5_000;
/** Lists after the deadline: a service whose clock stands still must not hold the run for ever. */
const TURNS_AFTER_DEADLINE_MAX = 60;

/**
 * What one list shows of a request whose deadline has passed. `ended`: enough to end the doubt, and that is recorded.
 * `early`: by its own clock the service would still have taken the request, or could still list it late.
 */
export type Listed = 'ended' | 'absent' | 'incomplete' | 'early';

/** A request in doubt, of a payout or for a payee: how it is looked for, and how what is found is recorded. */
export type Doubt = {
  readonly request: SignedRequest;
  /** Ends the looking, and leaves the request in doubt. */
  readonly stop: AbortSignal;
  /** After so many lists that are not complete, a person has to decide: pages may shift for a moment, but not for long. */
  readonly incompleteMax: number;
  /** How much later than it took effect the service may list what the request made, ms. */
  listedWithinMs(): number;
  /** Looks for what the request made. True where that ended the doubt. */
  look(): Promise<boolean>;
  /** Whether this process made the request durable and the service takes its bytes once at most. */
  mayResend(): boolean;
  /** Sends the same bytes again. True where that ended the doubt. */
  resend(): Promise<boolean>;
  list(): Promise<Listed>;
  /** True, and parked for a person, where something forbids to conclude from any list that there was no effect. */
  isParkedByObjection(): Promise<boolean>;
  parkAsIncomplete(why: 'incomplete' | 'early'): Promise<void>;
  recordAbsent(lists: number): Promise<void>;
};

/**
 * Finds out what became of a request in doubt, by the protocol: look; the same bytes again while they live; after the
 * deadline and the listing lag, absence by repeated complete lists, unless there is an objection; else parked for a person.
 */
export async function reconcileDoubt(context: RunContext, doubt: Doubt): Promise<void> {
  const { clock, run } = context;
  const { request, stop } = doubt;
  const startedMs = clock.monotonicMs();
  const deadlineMs = request.expires * 1_000;
  const lifetimeMs = deadlineMs - request.created * 1_000;
  // The request can take effect until its deadline and be listed as much later as the service lists late. Whatever the
  // wall clock is set to meanwhile, a request that was there when we began is dead after one lifetime.
  const leftMs = (): number => {
    const lateMs = afterDeadlineMs(run) + doubt.listedWithinMs();
    const byWallMs = deadlineMs + lateMs - clock.wallMs();
    return Math.min(byWallMs, lifetimeMs + lateMs - (clock.monotonicMs() - startedMs));
  };
  let pauseMs = LOOK_FIRST_MS;
  let resends = 0;
  for (;;) {
    if (await doubt.look()) return;
    if (leftMs() < 0) break;
    if (resends < RESENDS_MAX && clock.wallMs() < deadlineMs && doubt.mayResend()) {
      resends++;
      if (await doubt.resend()) return;
    }
    if (stop.aborted) return;
    await clock.sleep(Math.min(pauseMs, Math.max(leftMs(), 0) + 1), stop);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
  await proveAbsence(context, doubt);
}

/** The request can take effect no more, as far as our clocks show. */
async function proveAbsence({ clock, run }: RunContext, doubt: Doubt): Promise<void> {
  let lists = 0;
  let incomplete = 0;
  for (let turn = 0; turn < TURNS_AFTER_DEADLINE_MAX; turn++) {
    const listed = await doubt.list();
    if (listed === 'ended' || (await doubt.isParkedByObjection())) return;
    if (listed === 'incomplete' && ++incomplete >= doubt.incompleteMax) return doubt.parkAsIncomplete('incomplete');
    if (listed === 'absent' && ++lists >= LISTS_FOR_ABSENCE) return doubt.recordAbsent(lists);
    if (doubt.stop.aborted) return;
    const pauseMs = Math.max(lagMs(run) / LISTS_FOR_ABSENCE, LIST_PAUSE_MIN_MS);
    await clock.sleep(Math.min(pauseMs, LIST_PAUSE_MAX_MS), doubt.stop);
  }
  await doubt.parkAsIncomplete('early');
}
