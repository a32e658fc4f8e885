import { isPlannedOnly } from '../../domain/run/run-plan.ts';
import { actorText } from '../../report/model/actor-text.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Dependencies, Ended } from '../dependencies.ts';
import type { Person } from '../people/people.ts';
import type { WebStore } from '../store/open.ts';
import type { FollowedRun } from './followed-run.ts';
import type { FollowedRuns } from './followed-runs.ts';

/** Why a command did nothing, in its own words. */
export type Refused = { message: string; remedy: string };

/** What somebody does to a run: the words of the command, and how the audit log calls it. */
export type RunAct = {
  runId: string;
  act: string;
  words: readonly string[];
  /** Null where nobody does it. */
  person: string | null;
  details?: Record<string, unknown>;
};

type Going = { act: string; ended: Promise<Ended> };

/** How long the page waits to see a command begin; after that it shows the run as it stands. */
const BEGIN_MAX_MS = 5_000;
const LOOK_EVERY_MS = 100;
/** How often it is looked whether a run that another process holds is let go. */
const HELD_LOOK_MS = 2_000;

/** The commands that work on runs because somebody pressed a button, and what became of them. */
export class RunChildren {
  readonly #deps: Dependencies;
  readonly #store: WebStore;
  readonly #audit: AuditLog;
  readonly #runs: FollowedRuns;
  readonly #going = new Map<string, Going>();
  readonly #refused = new Map<string, Refused & { n: number }>();
  readonly #closing = new AbortController();

  constructor(deps: Dependencies, store: WebStore, audit: AuditLog, runs: FollowedRuns) {
    this.#deps = deps;
    this.#store = store;
    this.#audit = audit;
    this.#runs = runs;
  }

  /**
   * Starts what lasts (`run`, `resume`, `cancel`). Resolves when it has begun or is over, and after some seconds in any
   * case: to null, or to the act that is under way already, where nothing was done. It goes on when the page ends; a run
   * that is cut off then is taken up again when the page starts.
   */
  async start({ runId, act, words, person, details = {} }: RunAct): Promise<string | null> {
    const under = this.going(runId);
    if (under !== null) return under;
    const { clock, log, journal } = this.#deps;
    this.#refused.delete(runId);
    this.#audit.append({ person, act, runId, details });
    if (words[0] !== 'cancel' && person !== null) this.#remember(runId, person);
    const { ended } = this.#deps.start(words, { person: this.#nameOf(person) });
    const going = { act, ended };
    this.#going.set(runId, going);
    const isOver = ended.then((end) => {
      if (this.#closing.signal.aborted) return;
      if (this.#going.get(runId) === going) this.#going.delete(runId);
      log.info({ run: runId, act, exit: end.exit, signal: end.signal, said: end.said }, 'a command of the page ended');
      this.#note(runId, refusalIn(end));
    });
    const isSettled = { yes: false };
    void isOver.then(() => {
      isSettled.yes = true;
    });
    for (let waited = 0; waited < BEGIN_MAX_MS && !isSettled.yes; waited += LOOK_EVERY_MS) {
      if (words[0] !== 'cancel' && journal.holder(runId) !== null) return null;
      await clock.sleep(LOOK_EVERY_MS, this.#closing.signal);
      if (this.#closing.signal.aborted) return null;
    }
    return null;
  }

  /** Asks the process that works on the run, or is just beginning to, that nothing more is sent. */
  async askToCancel(runId: string, person: Pick<Person, 'id' | 'name'>): Promise<void> {
    const by = actorText({ by: this.#deps.account, page_person: person.name }, true);
    await this.#deps.journal.askToCancel(runId, by);
    this.#audit.append({ person: person.id, act: 'cancelled', runId, details: { asked: true } });
  }

  /** Does what is over soon, and says why where it did nothing. */
  async act(given: RunAct & { stdin?: string }): Promise<{ refused: Refused | null; result: unknown }> {
    const { runId, act, words, person, details = {}, stdin } = given;
    const end = await this.#deps.payrun(words, {
      person: this.#nameOf(person),
      ...(stdin !== undefined && { stdin }),
    });
    const refused = refusalIn(end);
    this.#audit.append({ person, act, runId, details: { ...details, exit: end.exit } });
    this.#deps.log.info({ run: runId, act, exit: end.exit, said: end.said }, 'a command of the page ended');
    this.#note(runId, refused);
    return { refused, result: end.result };
  }

  /** What is being done to the run by a command of this page, as the audit log calls it. */
  going(runId: string): string | null {
    return this.#going.get(runId)?.act ?? null;
  }

  /** Why the last command did nothing, as long as nothing has happened to the run since. */
  refusal(runId: string): Refused | null {
    const refused = this.#refused.get(runId);
    return refused === undefined || this.#deps.journal.head(runId)?.n !== refused.n ? null : refused;
  }

  /**
   * Takes up the runs again that this page has started and that were cut off. What a person has stopped, or what needs
   * one, waits for that person. Resolves when each of them was looked at and nobody else holds one.
   */
  async resumeCutOff(): Promise<void> {
    const rows = this.#store.all('SELECT run_id FROM started_run ORDER BY at');
    let left = rows.map(({ run_id }) => String(run_id));
    while (left.length > 0 && !this.#closing.signal.aborted) {
      const held: string[] = [];
      for (const runId of left) {
        if (this.#deps.journal.holder(runId) !== null) held.push(runId);
        else await this.#resumeIfCutOff(runId);
      }
      left = held;
      if (left.length > 0) await this.#deps.clock.sleep(HELD_LOOK_MS, this.#closing.signal);
    }
  }

  close(): void {
    this.#closing.abort();
  }

  async #resumeIfCutOff(runId: string): Promise<void> {
    try {
      const followed = await this.#runs.read(runId);
      if (followed === null || followed.run.finished !== null) this.#forget(runId);
      else if (isCutOff(followed) && !this.#isStopAsked(runId)) {
        const under = await this.start({ runId, act: 'resumed_by_itself', words: ['resume', runId], person: null });
        if (under !== null) this.#deps.log.info({ run: runId, under }, 'somebody was faster');
      }
    } catch (error) {
      this.#deps.log.warn({ error, run: runId }, 'a run that was cut off could not be taken up again');
    }
  }

  #isStopAsked(runId: string): boolean {
    const { journal } = this.#deps;
    return journal.cancelAsked(runId) !== null || journal.pauseRequests.askedBy(runId) !== null;
  }

  #note(runId: string, refused: Refused | null): void {
    const head = this.#deps.journal.head(runId);
    if (refused !== null && head !== null) this.#refused.set(runId, { ...refused, n: head.n });
  }

  #remember(runId: string, person: string): void {
    this.#store.run(
      'INSERT INTO started_run VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET person = excluded.person, at = excluded.at',
      runId,
      person,
      this.#deps.clock.wallMs(),
    );
  }

  #nameOf(person: string | null): string | null {
    if (person === null) return null;
    const row = this.#store.get('SELECT name FROM person WHERE id = ?', person);
    return row === undefined ? null : String(row.name);
  }

  #forget(runId: string): void {
    this.#store.run('DELETE FROM started_run WHERE run_id = ?', runId);
  }
}

/** Its process ended in the middle, or the service went away: nothing about it needs a person. */
function isCutOff({ run, lastKind }: FollowedRun): boolean {
  // Who has said what became of a payout says when it goes on.
  if (lastKind === 'resolved') return false;
  if (run.finished !== null || run.cancelled || run.paused || isPlannedOnly(run)) return false;
  return run.stopped === null || run.stopped === 'outage';
}

function refusalIn({ exit, signal, result }: Ended): Refused | null {
  if (exit === 0) return null;
  const said = typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
  if (typeof said.message === 'string')
    return { message: said.message, remedy: typeof said.remedy === 'string' ? said.remedy : '' };
  if (exit !== null && exit > 1 && 'run_id' in said) return null;
  const how = signal === null ? '' : ` It was ended by ${signal}.`;
  return {
    message: `The command did not come to its end.${how}`,
    remedy: 'The log file in the data directory says why. Look at the run before you try again.',
  };
}
