import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import type { Person } from '../../app/people/people.ts';
import type { Inside } from '../../app/people/store/page-store.ts';
import { messages } from '../../messages/messages.ts';
import type { Letter } from '../../messages/notice-words.ts';
import { counted } from '../../messages/text.ts';
import type { Dependencies, WebParts } from '../parts.ts';
import type { WaitingPlan, WaitingPlans } from '../plans/waiting-plans.ts';
import { statusText } from '../runs/payment-status.ts';
import { paymentName } from '../shell/words.ts';
import { Choices, type NoticeEvent } from './choices.ts';
import { Outbox } from './outbox.ts';

/** Newer runs than these are looked at; nobody has mails about older ones. */
const RUNS_LOOKED_AT = 200;
const LOOK_EVERY_MS = 2_000;
/** A run that nobody works on may be handed over from one process to the next; for longer than this it is stopped. */
const STOPPED_FOR_MS = 30_000;
/** A comparison of a plan that takes longer is in the next look. */
const COMPARED_MS = 10_000;

type Deps = Omit<WebParts, 'deps'> & {
  deps: Dependencies & Inside;
  waitingPlans: WaitingPlans;
  options: { origin: string; rehearsal: boolean | null };
};

/** Something that a person may want to know, once: the key says of what, and which event of it. */
type News = { key: string; event: NoticeEvent; letter: Letter; rehearsal: boolean };

/** Mails people what they chose to be notified of: once each, by one of the pages that share a store. */
export class Notices {
  readonly choices: Choices;
  readonly outbox: Outbox;
  readonly #parts: Deps;
  /** Since when runs that are stopped were seen so, by their id. */
  #stoppedSince = new Map<string, number>();

  constructor(parts: Deps) {
    this.#parts = parts;
    this.choices = new Choices(parts.deps);
    this.outbox = new Outbox(parts.deps);
  }

  /** Whether mails can be sent from here. */
  get canMail(): boolean {
    return this.#parts.deps.mail !== undefined;
  }

  /** Mails what there is, until the signal. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts.deps;
    while (!signal.aborted && this.canMail) {
      await this.look(signal).catch((error: unknown) => log.error({ error }, 'people could not be notified'));
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** Mails what there is now. */
  async look(signal: AbortSignal): Promise<void> {
    const { people, deps } = this.#parts;
    const choices = await this.choices.all();
    if (choices.size === 0) return;
    const ofRuns = await this.#newsOfRuns();
    for (const person of await people.list()) {
      const choice = choices.get(person.id);
      if (choice === undefined || person.lockedAt !== null) continue;
      for (const { key, event, letter, rehearsal } of await this.#newsFor(person, ofRuns)) {
        if (signal.aborted || !choice.events.includes(event) || !(await this.outbox.claim(person.id, key))) continue;
        const id = `${key}.${person.id}`.replaceAll(/[^A-Za-z0-9.-]/g, '-');
        const fault = await deps.mail?.({ to: choice.address, letter, id, rehearsal }, signal);
        if (fault == null) await this.outbox.noteSent(person.id, key);
        else deps.log.warn({ person: person.id, key, fault }, 'a person could not be notified');
      }
    }
  }

  /** Notes all there is now as known to this person. */
  async skipAll(person: Person): Promise<void> {
    const news = await this.#newsFor(person, await this.#newsOfRuns());
    await this.outbox.skip(
      person.id,
      news.map(({ key }) => key),
    );
  }

  async #newsFor(person: Person, ofRuns: readonly News[]): Promise<News[]> {
    // Administrators see no payments.
    if (person.roles.every((role) => role === 'administrator')) return [];
    const { waitingPlans, options } = this.#parts;
    const { plans } = await waitingPlans.of(person, 0);
    const waiting = plans.filter(({ isMine }) => isMine);
    const ofPlans = waiting.map(({ runId, name, what, waitsFor, rehearsal }): News => {
      const facts = { name, news: 'is waiting for you', facts: [`${what}.`, waitsFor] };
      // What waits for the approver may later wait for who starts it: that is news again.
      const key = `waiting ${runId} ${waitsFor}`;
      return {
        key,
        event: 'waiting',
        letter: messages.notices.paymentLetter({ ...facts, url: `${options.origin}/runs/${runId}` }),
        rehearsal,
      };
    });
    return [...ofPlans, ...(await this.#newsOfAccounts(plans)), ...ofRuns];
  }

  /** Of the plans that this person can approve, those that pay somebody on a changed account. */
  async #newsOfAccounts(plans: readonly WaitingPlan[]): Promise<News[]> {
    const { waitingPlans, options } = this.#parts;
    const mine = plans.filter(({ mayApprove }) => mayApprove);
    const changed = await waitingPlans.changedAccounts(
      mine.map(({ runId }) => runId),
      COMPARED_MS,
    );
    return mine.flatMap(({ runId, name, what, rehearsal }): News[] => {
      const count = changed.get(runId);
      if (count === undefined) return [];
      const [payouts, go] = [counted(count, 'payout'), count === 1 ? 'goes' : 'go'];
      const letter = messages.notices.paymentLetter({
        name,
        news: 'pays changed accounts, and waits for your approval',
        facts: [`${what}.`, `${payouts} of it ${go} to another account than the recipient was last paid on.`],
        url: `${options.origin}/runs/${runId}`,
      });
      return [{ key: `changed_details ${runId}`, event: 'changed_details', letter, rehearsal }];
    });
  }

  async #newsOfRuns(): Promise<News[]> {
    const history = (await this.#parts.deps.reads.history()).slice(0, RUNS_LOOKED_AT);
    const stopped = await this.#stopped(history);
    const news: News[] = [];
    for (const run of history) {
      const { counts, state } = run;
      const isCut = state === 'finished' && (counts?.not_submitted ?? 0) > 0;
      if ((counts?.failed ?? 0) + (counts?.rejected ?? 0) > 0) news.push(this.#newsOf('failed', run));
      if ((counts?.unresolved ?? 0) > 0) news.push(this.#newsOf('unresolved', run));
      if (isCut || stopped.has(run.summary.run_id)) news.push(this.#newsOf('stopped', run));
    }
    return news;
  }

  #newsOf(event: NoticeEvent, run: RunInHistory): News {
    const { run_id, header } = run.summary;
    const letter = messages.notices.paymentLetter({
      name: paymentName(header),
      news: statusText(run).toLowerCase(),
      facts: [`${counted(header.payouts, 'payout')} from ${header.input.name}.`],
      url: `${this.#parts.options.origin}/runs/${run_id}`,
    });
    return { key: `${event} ${run_id}`, event, letter, rehearsal: header.rehearsal };
  }

  /** The runs that nobody has worked on for some time. */
  async #stopped(history: readonly RunInHistory[]): Promise<Set<string>> {
    const { clock, reads } = this.#parts.deps;
    const now = clock.wallMs();
    const since = new Map<string, number>();
    for (const { state, summary } of history)
      if (state === 'stopped' && !(await reads.isHeld(summary.run_id)))
        since.set(summary.run_id, this.#stoppedSince.get(summary.run_id) ?? now);
    this.#stoppedSince = since;
    return new Set([...since].flatMap(([runId, at]) => (now - at >= STOPPED_FOR_MS ? [runId] : [])));
  }
}
