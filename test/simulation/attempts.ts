import type { Intent } from '../../src/domain/entry.ts';
import { Violation } from './world.ts';

/**
 * An attempt whose intent is durable. `dead`: what it is called that can never have had an effect. `isRefused`: a copy of
 * it was refused, and another may have an effect, until the next attempt.
 */
export type Attempt = {
  row: number;
  attempt: number;
  intent: Intent;
  process: string;
  dead: string | null;
  isRefused: boolean;
  /** When its intent became durable, and whether any copy of it was refused. */
  intentAtMs: number;
  wasRefused: boolean;
};

const TOKEN = /PR[0-9A-HJKMNP-TV-Z]{13}/;

/** The attempts that were ever written down. What an old copy of the journal forgets stays true, and is kept here. */
export class Attempts {
  readonly #byToken = new Map<string, Attempt>();
  /** Those that the journal knows. */
  readonly #byRow = new Map<string, Attempt>();

  /** The attempt whose token stands in a text. */
  quotedIn(text: string): Attempt | undefined {
    return this.#byToken.get(TOKEN.exec(text)?.[0] ?? '');
  }

  /** An intent became durable: no attempt without a proof about the one before. */
  add(intent: Intent, process: string, nowMs: number): void {
    const { row, attempt, token } = intent;
    if (this.#byToken.has(token)) throw new Violation('never twice', `the token ${token} is used twice`);
    const before = this.#byRow.get(`${row} ${attempt - 1}`);
    if (before?.isRefused) before.dead ??= 'without effect';
    if (attempt > 1 && (!before || before.dead === null)) {
      throw new Violation('no blind retry', `row ${row}: attempt ${attempt} without a proof about the one before`);
    }
    const made: Attempt = {
      row,
      attempt,
      intent,
      process,
      dead: null,
      isRefused: false,
      intentAtMs: nowMs,
      wasRefused: false,
    };
    this.#byToken.set(token, made);
    this.#byRow.set(`${row} ${attempt}`, made);
  }

  of(row: number, attempt: number): Attempt | undefined {
    return this.#byRow.get(`${row} ${attempt}`);
  }

  /** From now on this attempt must never have had an effect. */
  bury(row: number, attempt: number, verdict: string): void {
    const buried = this.#byRow.get(`${row} ${attempt}`);
    if (buried) buried.dead = verdict;
  }

  refuse(row: number, attempt: number): void {
    const refused = this.#byRow.get(`${row} ${attempt}`);
    if (refused) Object.assign(refused, { isRefused: true, wasRefused: true });
  }

  /** The journal is an old copy, which knows these intents only. */
  putBack(intents: readonly Intent[]): void {
    this.#byRow.clear();
    for (const { token } of intents) {
      const known = this.#byToken.get(token);
      if (known) this.#byRow.set(`${known.row} ${known.attempt}`, known);
    }
  }
}
