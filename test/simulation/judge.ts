import type { PayoutState } from '../../src/domain/run/payout.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import type { Attempt } from './attempts.ts';
import type { Booked } from './books.ts';
import type { Evidence } from './evidence.ts';
import { type Broken, LAG_ASSUMED_MS, type Promised } from './promises.ts';
import { isNameless, type ServiceVariant } from './variant.ts';
import { Violation } from './world.ts';

export type JudgeOptions = {
  evidence: Evidence;
  variant: ServiceVariant;
  promised: Promised;
  broken: Broken | null;
  lifetimeMs: number;
  /** Between a look and what follows from it: messages travel, and turns take their time. */
  slackMs: number;
  /** Whether the service lists it by now, and how long it has; null where it does not. */
  listedForMs(transaction: Booked): number | null;
  nowMs(): number;
};

/** The clocks of a service and of its client jump. */
const CLOCKS_JUMP_MS = 31_000;
/** What the service had once, is looked for so many times the lag before it is called absent. */
const REPLAYED_TIMES = 3;
/** A service is looked at once more at most so long before the run is called finished. */
const LAST_LOOK_MS = 10_000;

/**
 * Says which payments beyond what was ordered no runner could have known of: where one promise of the profile is broken,
 * that promise explains it, and nothing that had reached the runner spoke against what it concluded.
 */
export class Judge {
  /** Rows that were paid twice, and excused. */
  readonly doubles = new Map<number, Set<string>>();
  readonly #options: JudgeOptions;
  readonly #excused = new Set<string>();
  /** Rows whose second payment an old copy of the journal knows nothing of. */
  readonly #forgotten = new Set<number>();

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** An old copy of the journal was put back. */
  forget(): void {
    this.#options.evidence.forget();
    for (const row of this.doubles.keys()) this.#forgotten.add(row);
  }

  /** An attempt is called absent by listings: nothing that this process knows must speak against that. */
  absent(attempt: Attempt, process: string, hasCanary: boolean): void {
    const why = this.#against(attempt, process, hasCanary);
    if (why === null) return;
    throw new Violation(
      'no blind retry',
      `row ${attempt.row}, attempt ${attempt.attempt} is called absent, and ${why}`,
    );
  }

  /** What was called dead is in the books. Throws where that is not excused. */
  dead(attempt: Attempt, transaction: Booked): void {
    if (this.#excused.has(transaction.id)) return;
    const { row, dead } = attempt;
    const why = this.#unexplained(attempt, transaction);
    if (why !== null) {
      const message = `row ${row}, attempt ${attempt.attempt} was called ${dead}, and is ${transaction.id} (${why})`;
      throw new Violation('no blind retry', message);
    }
    this.#excused.add(transaction.id);
  }

  /** Two that are not FAILED pay one row. Throws where that is not excused. */
  twice(row: number, one: [Booked, Attempt], other: [Booked, Attempt]): void {
    const isDoubled = one[1] === other[1] && !this.#options.variant.replayProtection;
    const isExcused = [one, other].some(([{ id }]) => this.#excused.has(id));
    const [a, b] = [one[0].id, other[0].id];
    if (!isDoubled && !isExcused) throw new Violation('never twice', `row ${row} is paid by ${a} and by ${b}`);
    this.doubles.set(row, (this.doubles.get(row) ?? new Set()).add(a).add(b));
  }

  /** A new attempt is made beside what pays the row already: nothing of that must have reached the process. */
  retried(row: number, paid: Booked[], process: string): void {
    const { evidence, slackMs } = this.#options;
    for (const transaction of paid) {
      const since = evidence.knownSince(transaction.id, process);
      const isOld = since !== null && since < this.#options.nowMs() - slackMs;
      const listedForMs = this.#options.listedForMs(transaction);
      if (isOld) throw new Violation('never twice', `row ${row} is sent again, and ${transaction.id} was shown before`);
      if (listedForMs !== null && listedForMs > slackMs)
        throw new Violation('never twice', `row ${row} is sent again, and ${transaction.id} is listed`);
    }
  }

  /** Something more is sent by a process that was shown two payments of one row. */
  goesOn(process: string, sinceMs: number): void {
    // What is shown without tokens is named when nothing is open any more.
    if (isNameless(this.#options.variant)) return;
    for (const [row, ids] of this.doubles) {
      if (this.#forgotten.has(row)) continue;
      const known = [...ids].map((id) => this.#options.evidence.knownSince(id, process));
      const isLong = known.every((since) => since !== null && since < this.#options.nowMs() - LAST_LOOK_MS);
      const isNew = known.some((since) => since !== null && since > sinceMs);
      if (isLong && isNew)
        throw new Violation('never twice', `${process} goes on sending, and row ${row} was shown to be paid twice`);
    }
  }

  /** The run is called finished, and these pay a row beyond what it says: they have to be named where they were shown. */
  finished(row: number, paid: Booked[], run: RunState, process: string): void {
    const { evidence } = this.#options;
    if (this.#forgotten.has(row) || this.#isNamed(run, row, paid)) return;
    const shown = paid.find(({ id }) => evidence.knownSince(id, process) === null);
    if (shown === undefined)
      throw new Violation('never twice', `the run is called finished, and row ${row} was shown to be paid twice`);
    const listedForMs = this.#options.listedForMs(shown);
    if (listedForMs !== null && listedForMs > LAST_LOOK_MS)
      throw new Violation(
        'never twice',
        `the run is called finished, and ${shown.id}, which pays row ${row}, is listed`,
      );
  }

  /** What was shown of a row that was paid twice is named, however the run ended. */
  named(row: number, paid: Booked[], run: RunState): void {
    const isShown = paid.every(({ id }) => this.#options.evidence.knownSince(id, '') !== null);
    if (paid.length < 2 || !isShown || this.#forgotten.has(row) || this.#isNamed(run, row, paid)) return;
    throw new Violation('never twice', `row ${row} was shown to be paid twice, and the run does not name it`);
  }

  /** Whether the broken promise explains that a row which was reported as not paid is paid. */
  isExplained(attempt: Attempt, transaction: Booked): boolean {
    return this.#unexplained(attempt, transaction) === null;
  }

  #against(attempt: Attempt, process: string, hasCanary: boolean): string | null {
    const { evidence, promised, broken, lifetimeMs } = this.#options;
    const { intent, intentAtMs } = attempt;
    const nowMs = this.#options.nowMs();
    const replayedMs = evidence.replayedSince(intent.token, process);
    if (replayedMs !== null) {
      if (promised.listingLagMs === null) return 'REPLAYED was answered, and no lag is stated';
      const neededMs = REPLAYED_TIMES * promised.listingLagMs - CLOCKS_JUMP_MS;
      if (nowMs - replayedMs < neededMs) return 'REPLAYED was answered a moment before';
    }
    if (!hasCanary) return 'no payout had come back';
    // A list that is cut short, and says that it is whole, shows no lag.
    const seenMs = broken === 'cursor' ? 0 : evidence.lagSeenMs(process);
    const lagMs = Math.max(promised.listingLagMs ?? LAG_ASSUMED_MS, seenMs);
    if (nowMs - intentAtMs < lifetimeMs + lagMs - CLOCKS_JUMP_MS) return 'it could still be listed';
    return evidence.sawExpiryBroken(process) ? 'expiry was seen to be broken' : null;
  }

  /** Why the broken promise does not explain it; null where it does. */
  #unexplained(attempt: Attempt, transaction: Booked): string | null {
    const { broken, promised, lifetimeMs } = this.#options;
    switch (broken) {
      case null:
        return 'the service keeps what its profile promises';
      case 'expiry':
      case 'arrival':
        return transaction.madeAtMs > attempt.intentAtMs + lifetimeMs - CLOCKS_JUMP_MS ? null : 'it was made in time';
      case 'lag':
      case 'unstated':
        return transaction.lagMs > (promised.listingLagMs ?? LAG_ASSUMED_MS) ? null : 'it was listed in time';
      case 'refusals':
        return attempt.wasRefused ? null : 'it was not refused';
      case 'cursor':
        return null;
      case 'replay':
        // The second copy is known by its token alone.
        return isNameless(this.#options.variant) ? null : 'no other copy of it was taken';
    }
  }

  /**
   * Whether the run names one of them as something that a person has to look at. Where the service shows no token, nothing
   * shows which of the rows of one amount and one account it is: named for any of them it is named.
   */
  #isNamed({ surfaced, payouts }: RunState, row: number, paid: Booked[]): boolean {
    const { variant } = this.#options;
    const ids = new Set(paid.map(({ id }) => id));
    const account = accountOf(payouts.get(row));
    const isAlike = (of: number): boolean =>
      isNameless(variant) && (!variant.hasAccountIds || accountOf(payouts.get(of)) === account);
    const isOne = (id: string, of: number): boolean => ids.has(id) && (of === row || isAlike(of));
    if (surfaced.some((one) => isOne(one.transaction_id, one.row))) return true;
    for (const [of, payout] of payouts) {
      if (payout.state !== 'unresolved' && payout.state !== 'suspected') continue;
      if (of === row || payout.transactions.some((id) => isOne(id, of))) return true;
    }
    return false;
  }
}

/** The service's id of the account that was paid, or may have been; null where nothing was sent. */
function accountOf(payout: PayoutState | undefined): string | null {
  if (payout === undefined) return null;
  if ('sent' in payout) return payout.sent.external_account_id;
  return 'intent' in payout ? payout.intent.external_account_id : null;
}
