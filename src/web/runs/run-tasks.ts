import { actorOnPage } from '../../app/actor.ts';
import { endForLog } from '../../app/launcher/launch.ts';
import type { OrderOf } from '../../app/launcher/tasks.ts';
import type { Person } from '../../app/people/people.ts';
import type { ResolvePayout } from '../../app/resolve/resolve.ts';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { ANYBODY, asViewer } from '../../messages/viewer.ts';
import { AwaitedRuns } from '../awaited-runs.ts';
import type { WebParts } from '../parts.ts';
import {
  apartRefused,
  cancelRefused,
  executedRefused,
  inWordsOfReader,
  type KeptProblem,
  keptProblem,
  notEnded,
  type Refused,
  refusedBy,
} from '../refused.ts';
import type { Problem } from '../shell/parts.ts';
import { resumeCutOffRuns } from './cut-off-runs.ts';

/** What somebody does to a run, as the audit log calls it. `person` is null where the page does it on its own. */
type Act = { runId: string; act: string; person: string | null; details?: Record<string, unknown> };

/** An act that lasts, and how it is done. */
export type RunAct = Act & {
  task: { name: 'resume' } | ({ name: 'run' } & Pick<OrderOf<'run'>, 'onlyValid' | 'allowRepeat'>);
  /** The time (ISO 8601) that a plan was scheduled for, where it is started because that has come. */
  scheduled?: string;
};

const ENDED = 'what the page had done apart ended';

/** How long the page waits to see a command begin; after that it shows the run as it stands. */
const BEGIN_MAX_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** What works on runs because somebody pressed a button, and what became of it. */
export class RunTasks {
  readonly #parts: WebParts;
  readonly #cancelling = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly awaited: AwaitedRuns;

  constructor(parts: WebParts) {
    this.#parts = parts;
    this.awaited = new AwaitedRuns(parts.deps.clock);
  }

  /**
   * Starts a process that works on the run. Resolves when it has begun or is over, and after some seconds in any
   * case: to null, or to the act that is under way already, where nothing was done. It goes on when the page ends; a run
   * that is cut off then is taken up again when the page starts.
   */
  async start({ task, scheduled, ...act }: RunAct): Promise<string | null> {
    const { log, reads, tasks, clock } = this.#parts.deps;
    const { runId, person } = act;
    const work = async (): Promise<KeptProblem | null> => {
      const sql = `INSERT INTO started_run (run_id, person, at) VALUES (?, ?, ?)
        ON CONFLICT (run_id) DO UPDATE SET person = excluded.person, at = excluded.at`;
      if (person !== null) await this.#parts.store.run(sql, runId, person, clock.wallMs());
      const way = await this.#overOf(runId, { isNew: task.name === 'run' });
      if ('refused' in way) {
        if (scheduled !== undefined) await this.#noteStartRefused(act, scheduled, way.refused);
        return way.refused;
      }
      const order = { runId, person: await this.#nameOf(person), over: way.over };
      const note = this.awaited.noting(runId);
      const ended = await (task.name === 'run' ? tasks.run({ ...task, ...order }, note) : tasks.resume(order, note));
      log.info({ run: runId, act: act.act, ...endForLog(ended) }, ENDED);
      const refused = executedRefused(ended);
      if (scheduled !== undefined && ended.outcome !== 'done' && ended.outcome !== 'died')
        await this.#noteStartRefused(act, scheduled, apartRefused(ended));
      return refused;
    };
    return this.#begin(act, work, () => reads.isHeld(runId));
  }

  /**
   * Notes that a plan was refused its start at its time: that is not tried again. Where another process was in the way, or the one
   * that was to start it died, it is.
   */
  async #noteStartRefused({ runId, person }: Act, scheduled: string, refused: Refused): Promise<void> {
    const { message, remedy, exit, refusal } = refused;
    const run = (await this.#parts.runs.read(runId))?.run;
    if (exit === REFUSAL_EXIT.held || run === undefined || !isPlannedOnly(run)) return;
    const details = { scheduled, exit, why: `${message} ${remedy}`.trim(), refusal };
    await this.#parts.audit.append({ person, act: 'start_refused', runId, details });
  }

  /** Cancels a run that nobody works on: the service is asked about what waits. Resolves as `start` does. */
  async cancel(runId: string, person: string): Promise<string | null> {
    const { calls, account, log } = this.#parts.deps;
    const cancel = async (): Promise<KeptProblem | null> => {
      const way = await this.#overOf(runId, { isNew: false });
      if ('refused' in way) return way.refused;
      const actor = actorOnPage(account, await this.#nameOf(person));
      const cancelling = calls.cancel({ runId, actor, over: way.over });
      this.#cancelling.add(cancelling);
      const cancelled = await cancelling.finally(() => this.#cancelling.delete(cancelling));
      log.info({ run: runId, outcome: cancelled.outcome }, 'the page cancelled a run');
      return cancelRefused(cancelled);
    };
    return this.#begin({ runId, act: 'cancelled', person }, cancel, async () => false);
  }

  async #begin(
    { runId, act, person, details = {} }: Act,
    work: () => Promise<KeptProblem | null>,
    hasBegun: () => Promise<boolean>,
  ): Promise<string | null> {
    const { work: shared, store, audit } = this.#parts;
    const claim = await shared.take(keyOf(runId), act);
    if (claim === null) return (await this.going(runId)) ?? act;
    try {
      await store.transaction(async () => {
        await store.run('DELETE FROM refused_act WHERE run_id = ?', runId);
        await audit.append({ person, act, runId, details });
      });
    } catch (error) {
      await claim.release();
      throw error;
    }
    const over = new AbortController();
    // While it still counts as going: no other act begins before it is known why this one did nothing.
    const noted = asViewer(ANYBODY, work)
      .catch((error: unknown) => this.#refusedBy(error, runId))
      .then((refused) => this.#note(runId, refused))
      .catch((error: unknown) =>
        this.#parts.deps.log.warn({ error, run: runId }, 'what an act came to could not be noted'),
      );
    void noted.then(async () => {
      over.abort();
      if (!this.#closing.signal.aborted) await claim.release();
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
    const actor = { by: deps.account, page_person: person.name };
    const by = asViewer(ANYBODY, () => messages.actors.actorText(actor, true));
    await deps.reads.askToCancel(runId, by);
    await audit.append({ person: person.id, act: 'cancelled', runId, details: { asked: true } });
  }

  /** Records a person's decision about a payout in doubt. Null where it is recorded. */
  async resolve(input: Omit<ResolvePayout, 'actor'>, person: string): Promise<Problem | null> {
    const { calls, account, log } = this.#parts.deps;
    const { runId, row, verdict } = input;
    const actor = actorOnPage(account, await this.#nameOf(person));
    const way = await this.#overOf(runId, { isNew: false });
    const resolved = async (): Promise<Refused | null> =>
      'refused' in way ? way.refused : calls.resolve({ ...input, actor, over: way.over }).then(() => null);
    const refused = await resolved().catch((error: unknown) => this.#refusedBy(error, runId));
    const transaction = verdict.kind === 'sent' && { transaction: verdict.transactionId };
    const details = { row, verdict: verdict.kind, ...transaction, exit: refused?.exit ?? 0 };
    await this.#parts.audit.append({ person, act: 'resolved', runId, details });
    log.info({ run: runId, row, exit: details.exit }, 'the page resolved a payout');
    await this.#note(runId, refused);
    return refused;
  }

  /** Plans the rows of the run that were not paid. The id of the plan, or null where there is none. */
  async planRetry(order: OrderOf<'retry'>, person: string): Promise<string | null> {
    const { tasks, log } = this.#parts.deps;
    const { runId } = order;
    const act = 'retry_planned';
    const way = await this.#overOf(runId, { isNew: true });
    if ('refused' in way) {
      await this.#note(runId, way.refused);
      return null;
    }
    const ended = await tasks.retry({ ...order, over: way.over });
    log.info({ run: runId, act, ...endForLog(ended) }, ENDED);
    const refused = ended.outcome === 'done' ? null : apartRefused(ended);
    await this.#parts.audit.append({ person, act, runId, details: { exit: refused === null ? 0 : refused.exit } });
    await this.#note(runId, refused);
    return ended.outcome === 'done' ? ended.value.planned : null;
  }

  /** What is being done to the run by a command of the page, on whichever host, as the audit log calls it. */
  going(runId: string): Promise<string | null> {
    return this.#parts.work.underWay(keyOf(runId));
  }

  /** Why the last command did nothing, as long as nothing has happened to the run since. */
  async refusal(runId: string): Promise<Problem | null> {
    const sql = 'SELECT n, why FROM refused_act WHERE run_id = ?';
    const refused = await this.#parts.store.get<{ n: number; why: string }>(sql, runId);
    if (refused === undefined || (await this.#parts.deps.reads.head(runId))?.n !== refused.n) return null;
    return inWordsOfReader(keptProblem.parse(JSON.parse(refused.why)));
  }

  /**
   * Resumes runs that this page started and that were interrupted, except those that somebody stopped or that need a
   * person. Resolves once each was examined and no other process holds one.
   */
  async resumeCutOff(): Promise<void> {
    await resumeCutOffRuns(this.#parts, (act) => this.start(act), this.#closing.signal);
  }

  /** Resolves when no run is being cancelled any more. */
  async cancelled(): Promise<void> {
    await Promise.allSettled(this.#cancelling);
  }

  close(): void {
    this.#closing.abort();
  }

  /** What work on the run goes over, by the run alone. */
  async #overOf(runId: string, { isNew }: { isNew: boolean }) {
    const header = (await this.#parts.runs.read(runId))?.run.header ?? null;
    if (header === null) return { over: undefined };
    const way = await this.#parts.connections.overRun(header, { isNew });
    return 'over' in way ? way : { refused: { ...way.refused, exit: REFUSAL_EXIT.refused } };
  }

  async #note(runId: string, refused: KeptProblem | null): Promise<void> {
    if (refused === null || this.#closing.signal.aborted) return;
    const head = await this.#parts.deps.reads.head(runId);
    if (head === null) return;
    const sql = `INSERT INTO refused_act (run_id, n, why) VALUES (?, ?, ?)
      ON CONFLICT (run_id) DO UPDATE SET n = excluded.n, why = excluded.why`;
    await this.#parts.store.run(sql, runId, head.n, JSON.stringify(keptProblem.parse(refused)));
  }

  async #nameOf(person: string | null): Promise<string | null> {
    return person === null ? null : ((await this.#parts.people.get(person))?.name ?? null);
  }
}

const keyOf = (runId: string): string => `run ${runId}`;
