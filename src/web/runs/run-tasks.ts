import { actorOnPage } from '../../app/actor.ts';
import { endForLog } from '../../app/launcher/launch.ts';
import type { OrderOf } from '../../app/launcher/tasks.ts';
import type { Person } from '../../app/people/people.ts';
import type { ResolvePayout } from '../../app/resolve/resolve.ts';
import { messages } from '../../messages/messages.ts';
import type { WebParts } from '../parts.ts';
import { apartRefused, cancelRefused, executedRefused, notEnded, type Refused, refusedBy } from '../refused.ts';
import type { Problem } from '../shell/parts.ts';
import { isCutOff } from './followed-run.ts';

/** What somebody does to a run, as the audit log calls it. `person` is null where the page does it on its own. */
type Act = { runId: string; act: string; person: string | null; details?: Record<string, unknown> };

/** An act that lasts, and how it is done. */
export type RunAct = Act & {
  task: { name: 'resume' } | ({ name: 'run' } & Pick<OrderOf<'run'>, 'onlyValid' | 'allowRepeat'>);
};

const ENDED = 'what the page had done apart ended';

/** How long the page waits to see a command begin; after that it shows the run as it stands. */
const BEGIN_MAX_MS = 5_000;
const LOOK_EVERY_MS = 100;
/** How often the page looks whether a run that another process holds is let go. */
const HELD_LOOK_MS = 2_000;

/** What works on runs because somebody pressed a button, and what became of it. */
export class RunTasks {
  readonly #parts: WebParts;
  /** By run, the act that is under way. */
  readonly #going = new Map<string, string>();
  /** By run, why the last act did nothing, and the number of its newest entry then. */
  readonly #refused = new Map<string, Problem & { n: number }>();
  readonly #cancelling = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(parts: WebParts) {
    this.#parts = parts;
  }

  /**
   * Starts a process that works on the run. Resolves when it has begun or is over, and after some seconds in any
   * case: to null, or to the act that is under way already, where nothing was done. It goes on when the page ends; a run
   * that is cut off then is taken up again when the page starts.
   */
  async start({ task, ...act }: RunAct): Promise<string | null> {
    const { log, reads, tasks, clock } = this.#parts.deps;
    const { runId, person } = act;
    const work = async (): Promise<Problem | null> => {
      if (person !== null)
        this.#parts.store.run('INSERT OR REPLACE INTO started_run VALUES (?, ?, ?)', runId, person, clock.wallMs());
      const order = { runId, person: this.#nameOf(person) };
      const ended = await (task.name === 'run' ? tasks.run({ ...task, ...order }) : tasks.resume(order));
      log.info({ run: runId, act: act.act, ...endForLog(ended) }, ENDED);
      return executedRefused(ended);
    };
    return this.#begin(act, work, () => reads.isHeld(runId));
  }

  /** Cancels a run that nobody works on: the service is asked about what waits. Resolves as `start` does. */
  async cancel(runId: string, person: string): Promise<string | null> {
    const { calls, account, log } = this.#parts.deps;
    const cancel = async (): Promise<Problem | null> => {
      const cancelling = calls.cancel({ runId, actor: actorOnPage(account, this.#nameOf(person)) });
      this.#cancelling.add(cancelling);
      const cancelled = await cancelling.finally(() => this.#cancelling.delete(cancelling));
      log.info({ run: runId, outcome: cancelled.outcome }, 'the page cancelled a run');
      return cancelRefused(cancelled);
    };
    return this.#begin({ runId, act: 'cancelled', person }, cancel, async () => false);
  }

  async #begin(
    { runId, act, person, details = {} }: Act,
    work: () => Promise<Problem | null>,
    hasBegun: () => Promise<boolean>,
  ): Promise<string | null> {
    const under = this.going(runId);
    if (under !== null) return under;
    this.#refused.delete(runId);
    this.#parts.audit.append({ person, act, runId, details });
    this.#going.set(runId, act);
    const over = new AbortController();
    // While it still counts as going: no other act begins before it is known why this one did nothing.
    const noted = work()
      .catch((error: unknown) => this.#refusedBy(error, runId))
      .then((refused) => this.#note(runId, refused));
    void noted.finally(() => {
      over.abort();
      if (!this.#closing.signal.aborted) this.#going.delete(runId);
    });
    const end = AbortSignal.any([over.signal, this.#closing.signal]);
    for (let waited = 0; waited < BEGIN_MAX_MS && !end.aborted; waited += LOOK_EVERY_MS) {
      if (await hasBegun()) return null;
      await this.#parts.deps.clock.sleep(LOOK_EVERY_MS, this.#closing.signal);
    }
    return null;
  }

  #refusedBy(thrown: unknown, runId: string): Refused {
    return refusedBy(thrown, notEnded(), (error) => {
      if (!this.#closing.signal.aborted) this.#parts.deps.log.error({ error, run: runId }, 'an act of the page failed');
    });
  }

  /** Asks the process that works on the run, or is just beginning to, that nothing more is sent. */
  async askToCancel(runId: string, person: Pick<Person, 'id' | 'name'>): Promise<void> {
    const { deps, audit } = this.#parts;
    const by = messages.actors.actorText({ by: deps.account, page_person: person.name }, true);
    await deps.reads.askToCancel(runId, by);
    audit.append({ person: person.id, act: 'cancelled', runId, details: { asked: true } });
  }

  /** Records a person's decision about a payout in doubt. Null where it is recorded. */
  async resolve(input: Omit<ResolvePayout, 'actor'>, person: string): Promise<Problem | null> {
    const { calls, account, log } = this.#parts.deps;
    const { runId, row, verdict } = input;
    const actor = actorOnPage(account, this.#nameOf(person));
    const refused = await calls.resolve({ ...input, actor }).then(
      () => null,
      (error: unknown) => this.#refusedBy(error, runId),
    );
    const transaction = verdict.kind === 'sent' && { transaction: verdict.transactionId };
    const details = { row, verdict: verdict.kind, ...transaction, exit: refused?.exit ?? 0 };
    this.#parts.audit.append({ person, act: 'resolved', runId, details });
    log.info({ run: runId, row, exit: details.exit }, 'the page resolved a payout');
    await this.#note(runId, refused);
    return refused;
  }

  /** Plans the rows of the run that were not paid. The id of the plan, or null where there is none. */
  async planRetry(order: OrderOf<'retry'>, person: string): Promise<string | null> {
    const { tasks, log } = this.#parts.deps;
    const { runId } = order;
    const act = 'retry_planned';
    const ended = await tasks.retry(order);
    log.info({ run: runId, act, ...endForLog(ended) }, ENDED);
    const refused = ended.outcome === 'done' ? null : apartRefused(ended);
    this.#parts.audit.append({ person, act, runId, details: { exit: refused === null ? 0 : refused.exit } });
    await this.#note(runId, refused);
    return ended.outcome === 'done' ? ended.value.planned : null;
  }

  /** What is being done to the run by a command of this page, as the audit log calls it. */
  going(runId: string): string | null {
    return this.#going.get(runId) ?? null;
  }

  /** Why the last command did nothing, as long as nothing has happened to the run since. */
  async refusal(runId: string): Promise<Problem | null> {
    const refused = this.#refused.get(runId);
    return refused === undefined || (await this.#parts.deps.reads.head(runId))?.n !== refused.n ? null : refused;
  }

  /**
   * Takes up the runs again that this page has started and that were cut off. What a person has stopped, or what needs
   * one, waits for that person. Resolves when each of them was looked at and nobody else holds one.
   */
  async resumeCutOff(): Promise<void> {
    const { store, deps } = this.#parts;
    const started = store.all<{ run_id: string }>('SELECT run_id FROM started_run ORDER BY at');
    let left = started.map(({ run_id }) => run_id);
    while (left.length > 0 && !this.#closing.signal.aborted) {
      const held: string[] = [];
      for (const runId of left) {
        if (await deps.reads.isHeld(runId)) held.push(runId);
        else await this.#resumeIfCutOff(runId);
      }
      left = held;
      if (left.length > 0) await deps.clock.sleep(HELD_LOOK_MS, this.#closing.signal);
    }
  }

  /** Resolves when no run is being cancelled any more. */
  async cancelled(): Promise<void> {
    await Promise.allSettled(this.#cancelling);
  }

  close(): void {
    this.#closing.abort();
  }

  async #resumeIfCutOff(runId: string): Promise<void> {
    const { runs, store, deps } = this.#parts;
    try {
      const followed = await runs.read(runId);
      if (followed === null || followed.run.finished !== null)
        store.run('DELETE FROM started_run WHERE run_id = ?', runId);
      const { isCancelAsked, isPauseAsked } = await deps.reads.work(runId);
      if (followed === null || !isCutOff(followed) || isCancelAsked || isPauseAsked) return;
      const under = await this.start({ runId, act: 'resumed_by_itself', task: { name: 'resume' }, person: null });
      if (under !== null) deps.log.info({ run: runId, under }, 'somebody was faster');
    } catch (error) {
      deps.log.warn({ error, run: runId }, 'a run that was cut off could not be taken up again');
    }
  }

  async #note(runId: string, refused: Problem | null): Promise<void> {
    if (refused === null || this.#closing.signal.aborted) return;
    const head = await this.#parts.deps.reads.head(runId);
    if (head !== null) this.#refused.set(runId, { ...refused, n: head.n });
  }

  #nameOf(person: string | null): string | null {
    return person === null ? null : (this.#parts.people.get(person)?.name ?? null);
  }
}
