import { actorOnPage } from '../../app/actor.ts';
import { endForLog } from '../../app/launcher/launch.ts';
import type { OrderOf } from '../../app/launcher/tasks.ts';
import type { ResolvePayout } from '../../app/resolve/resolve.ts';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import { kindOf } from '../../domain/refusals/reason.ts';
import { NO_COMMANDS } from '../../messages/refusals/refusal.ts';
import { resolveWords } from '../../messages/resolve-words.ts';
import { actorText } from '../../report/model/actor-text.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Dependencies } from '../parts.ts';
import type { Person } from '../people/people.ts';
import type { WebStore } from '../store/open.ts';
import { isCutOff } from './followed-run.ts';
import type { FollowedRuns } from './followed-runs.ts';
import { apartRefused, cancelRefused, executedRefused, notEnded, type Refused, resolveRefused } from './refused.ts';

/** What somebody does to a run, as the audit log calls it. */
type Act = {
  runId: string;
  act: string;
  /** Null where nobody does it. */
  person: string | null;
  details?: Record<string, unknown>;
};

/** An act that lasts, and how it is done. */
export type RunAct = Act & {
  task: { name: 'resume' } | ({ name: 'run' } & Pick<OrderOf<'run'>, 'onlyValid' | 'allowRepeat'>);
};

type Going = { act: string };

const ENDED = 'what the page had done apart ended';

/** How long the page waits to see a command begin; after that it shows the run as it stands. */
const BEGIN_MAX_MS = 5_000;
const LOOK_EVERY_MS = 100;
/** How often it is looked whether a run that another process holds is let go. */
const HELD_LOOK_MS = 2_000;

/** What works on runs because somebody pressed a button, and what became of it. */
export class RunTasks {
  readonly #deps: Dependencies;
  readonly #store: WebStore;
  readonly #audit: AuditLog;
  readonly #runs: FollowedRuns;
  readonly #going = new Map<string, Going>();
  readonly #refused = new Map<string, Refused & { n: number }>();
  readonly #cancelling = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(deps: Dependencies, store: WebStore, audit: AuditLog, runs: FollowedRuns) {
    this.#deps = deps;
    this.#store = store;
    this.#audit = audit;
    this.#runs = runs;
  }

  /**
   * Starts a process that works on the run. Resolves when it has begun or is over, and after some seconds in any
   * case: to null, or to the act that is under way already, where nothing was done. It goes on when the page ends; a run
   * that is cut off then is taken up again when the page starts.
   */
  async start({ task, ...act }: RunAct): Promise<string | null> {
    const { log, journal, tasks } = this.#deps;
    const { runId, person } = act;
    const work = async (): Promise<Refused | null> => {
      if (person !== null) this.#remember(runId, person);
      const order = { runId, person: this.#nameOf(person) };
      const ended = await (task.name === 'run' ? tasks.run({ ...task, ...order }) : tasks.resume(order));
      log.info({ run: runId, act: act.act, ...endForLog(ended) }, ENDED);
      return executedRefused(ended);
    };
    return this.#begin(act, work, async () => (await journal.holder(runId)) !== null);
  }

  /** Cancels a run that nobody works on: the service is asked about what waits. Resolves as `start` does. */
  async cancel(runId: string, person: string): Promise<string | null> {
    const { calls, account, log } = this.#deps;
    const cancel = async (): Promise<Refused | null> => {
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
    work: () => Promise<Refused | null>,
    hasBegun: () => Promise<boolean>,
  ): Promise<string | null> {
    const under = this.going(runId);
    if (under !== null) return under;
    this.#refused.delete(runId);
    this.#audit.append({ person, act, runId, details });
    const going = { act };
    this.#going.set(runId, going);
    const isSettled = { yes: false };
    // While it still counts as going: no other act begins before it is known why this one did nothing.
    const noted = this.#outcomeOf(runId, work).then((refused) => this.#note(runId, refused));
    void noted.finally(() => {
      isSettled.yes = true;
      if (!this.#closing.signal.aborted && this.#going.get(runId) === going) this.#going.delete(runId);
    });
    for (let waited = 0; waited < BEGIN_MAX_MS && !isSettled.yes; waited += LOOK_EVERY_MS) {
      if (await hasBegun()) return null;
      await this.#deps.clock.sleep(LOOK_EVERY_MS, this.#closing.signal);
      if (this.#closing.signal.aborted) return null;
    }
    return null;
  }

  async #outcomeOf(runId: string, work: () => Promise<Refused | null>): Promise<Refused | null> {
    try {
      return await work();
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#deps.log.error({ error, run: runId }, 'an act of the page failed');
      return notEnded('');
    }
  }

  /** Asks the process that works on the run, or is just beginning to, that nothing more is sent. */
  async askToCancel(runId: string, person: Pick<Person, 'id' | 'name'>): Promise<void> {
    const by = actorText({ by: this.#deps.account, page_person: person.name }, true);
    await this.#deps.journal.askToCancel(runId, by);
    this.#audit.append({ person: person.id, act: 'cancelled', runId, details: { asked: true } });
  }

  /** Records a person's word about a payout in doubt. Null where it is recorded. */
  async resolve(input: Omit<ResolvePayout, 'actor'>, person: string): Promise<Refused | null> {
    const { calls, account, log } = this.#deps;
    const { runId, row, verdict } = input;
    const actor = actorOnPage(account, this.#nameOf(person));
    const resolved = await calls.resolve({ ...input, actor }).catch((error: unknown) => {
      log.error({ error, run: runId }, 'an act of the page failed');
      return null;
    });
    const isDone = resolved?.outcome === 'resolved';
    const refused = isDone ? null : resolved === null ? notEnded('') : resolveRefused(resolved);
    const exit = isDone ? 0 : resolved === null ? 1 : REFUSAL_EXIT[resolveWords(resolved, NO_COMMANDS.command).kind];
    const transaction = verdict.kind === 'sent' && { transaction: verdict.transactionId };
    const details = { row, verdict: verdict.kind, ...transaction, exit };
    this.#audit.append({ person, act: 'resolved', runId, details });
    log.info({ run: runId, row, outcome: resolved?.outcome }, 'the page resolved a payout');
    await this.#note(runId, refused);
    return refused;
  }

  /** Plans the rows of the run that were not paid. The id of the plan, or null where there is none. */
  async planRetry(order: OrderOf<'retry'>, person: string): Promise<string | null> {
    const { tasks, log } = this.#deps;
    const { runId } = order;
    const act = 'retry_planned';
    const ended = await tasks.retry(order);
    log.info({ run: runId, act, ...endForLog(ended) }, ENDED);
    const planned = ended.outcome === 'done' ? ended.value.planned : null;
    const exit =
      ended.outcome === 'done' ? 0 : ended.outcome === 'refused' ? REFUSAL_EXIT[kindOf(ended.refusal.reason)] : null;
    this.#audit.append({ person, act, runId, details: { exit } });
    await this.#note(runId, ended.outcome === 'done' ? null : apartRefused(ended));
    return planned;
  }

  /** What is being done to the run by a command of this page, as the audit log calls it. */
  going(runId: string): string | null {
    return this.#going.get(runId)?.act ?? null;
  }

  /** Why the last command did nothing, as long as nothing has happened to the run since. */
  async refusal(runId: string): Promise<Refused | null> {
    const refused = this.#refused.get(runId);
    return refused === undefined || (await this.#deps.journal.head(runId))?.n !== refused.n ? null : refused;
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
        if ((await this.#deps.journal.holder(runId)) !== null) held.push(runId);
        else await this.#resumeIfCutOff(runId);
      }
      left = held;
      if (left.length > 0) await this.#deps.clock.sleep(HELD_LOOK_MS, this.#closing.signal);
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
    try {
      const followed = await this.#runs.read(runId);
      if (followed === null || followed.run.finished !== null) this.#forget(runId);
      else if (isCutOff(followed) && !(await this.#isStopAsked(runId))) {
        const under = await this.start({ runId, act: 'resumed_by_itself', task: { name: 'resume' }, person: null });
        if (under !== null) this.#deps.log.info({ run: runId, under }, 'somebody was faster');
      }
    } catch (error) {
      this.#deps.log.warn({ error, run: runId }, 'a run that was cut off could not be taken up again');
    }
  }

  async #isStopAsked(runId: string): Promise<boolean> {
    const { journal } = this.#deps;
    return (await journal.cancelAsked(runId)) !== null || (await journal.pauseAsked(runId)) !== null;
  }

  async #note(runId: string, refused: Refused | null): Promise<void> {
    if (refused === null || this.#closing.signal.aborted) return;
    const head = await this.#deps.journal.head(runId);
    if (head !== null) this.#refused.set(runId, { ...refused, n: head.n });
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
