import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import type { Person } from '../../app/people/people.ts';
import type { Sees } from '../../app/people/sight.ts';
import type { Inside } from '../../app/people/store/page-store.ts';
import { messages } from '../../messages/messages.ts';
import type { Letter } from '../../messages/notice-words.ts';
import { counted } from '../../messages/text.ts';
import { plural, t } from '../../messages/translate.ts';
import { asViewer } from '../../messages/viewer.ts';
import type { Dependencies, WebParts } from '../parts.ts';
import type { WaitingPlan, WaitingPlans } from '../plans/waiting-plans.ts';
import { statusText } from '../runs/payment-status.ts';
import { paymentName } from '../shell/words.ts';
import { unnamed } from '../sights.ts';
import { type Choice, Choices, NOTICE_EVENTS, type NoticeEvent } from './choices.ts';
import { Inbox } from './inbox.ts';
import { Outbox } from './outbox.ts';

/** Newer runs than these are looked at; nobody has mails about older ones. */
const RUNS_LOOKED_AT = 200;
const LOOK_EVERY_MS = 2_000;
const LOOK_ANYWAY_MS = 30_000;
/** A run that nobody works on may be handed over from one process to the next; for longer than this it is stopped. */
const STOPPED_FOR_MS = 30_000;
/** A comparison of a plan that takes longer is in the next look. */
const COMPARED_MS = 10_000;

type Deps = Omit<WebParts, 'deps'> & {
  deps: Dependencies & Inside;
  waitingPlans: WaitingPlans;
  options: { origin: string; rehearsal: boolean | null };
};

/** Something that a person may want to know, once: the key says of what, and which event of it. The letter is made for each who wants it. */
type News = { key: string; event: NoticeEvent; runId: string; letter(): Letter; rehearsal: boolean };

/** What became of a run, for everybody who sees it. */
type OfRun = { event: NoticeEvent; run: RunInHistory };

/** Notifies people of what they chose, in the page and by mail: once each, by one of the pages that share a store. */
export class Notices {
  readonly choices: Choices;
  readonly outbox: Outbox;
  readonly inbox: Inbox;
  readonly #parts: Deps;
  /** What was written last before the last look, and when that was. */
  #looked: { entryAt: number | null; atMs: number } | null = null;
  /** Since when runs that are stopped were seen so, by their id. */
  #stoppedSince = new Map<string, number>();

  constructor(parts: Deps) {
    this.#parts = parts;
    this.choices = new Choices(parts.deps);
    this.outbox = new Outbox(parts.deps);
    this.inbox = new Inbox(parts.deps);
  }

  /** Whether mails can be sent from here. */
  get canMail(): boolean {
    return this.#parts.deps.mail !== undefined;
  }

  /** Notifies people of what there is, until the signal. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts.deps;
    while (!signal.aborted) {
      await this.#lookWhereNew(signal).catch((error: unknown) => log.error({ error }, 'people could not be notified'));
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** Looks where something was written since the last look, and else now and then: a run may have stopped, or a mail be due again. */
  async #lookWhereNew(signal: AbortSignal): Promise<void> {
    const { clock, reads } = this.#parts.deps;
    const [entryAt, atMs] = [await reads.newestEntryAt(), clock.monotonicMs()];
    const looked = this.#looked;
    if (looked !== null && looked.entryAt === entryAt && atMs - looked.atMs < LOOK_ANYWAY_MS) return;
    this.#looked = null;
    await this.look(signal);
    this.#looked = { entryAt, atMs };
  }

  /** Notifies people of what there is now. */
  async look(signal: AbortSignal): Promise<void> {
    const [choices, inPage] = [await this.choices.all(), await this.choices.inPage()];
    const ofRuns = await this.#newsOfRuns();
    for (const person of await this.#parts.people.list()) {
      if (signal.aborted) return;
      if (person.lockedAt !== null) continue;
      await asViewer(await this.#parts.views.viewer(person.id), async () => {
        const news = await this.#newsFor(person, ofRuns);
        const wanted = inPage.get(person.id) ?? NOTICE_EVENTS;
        const shown = news.filter(({ event }) => wanted.includes(event));
        await this.inbox.add(person.id, shown.map(inPageOf));
        const choice = choices.get(person.id);
        if (choice !== undefined && this.canMail) await this.#mail(person, choice, news, signal);
      });
    }
  }

  async #mail(person: Person, choice: Choice, all: readonly News[], signal: AbortSignal): Promise<void> {
    const { deps } = this.#parts;
    for (const { key, event, letter, rehearsal } of all) {
      if (signal.aborted || !choice.events.includes(event) || !(await this.outbox.claim(person.id, key))) continue;
      const id = `${key}.${person.id}`.replaceAll(/[^A-Za-z0-9.-]/g, '-');
      const fault = await deps.mail?.({ to: choice.address, letter: letter(), id, rehearsal }, signal);
      if (fault == null) await this.outbox.noteSent(person.id, key);
      else deps.log.warn({ person: person.id, key, fault }, 'a person could not be notified');
    }
  }

  /** Notes all there is now as known to this person, of events that are mailed, and of events that are shown. */
  async skip(person: Person, events: { mail: readonly NoticeEvent[]; page: readonly NoticeEvent[] }): Promise<void> {
    const news = await this.#newsFor(person, await this.#newsOfRuns());
    const mailed = news.filter(({ event }) => events.mail.includes(event));
    await this.outbox.skip(
      person.id,
      mailed.map(({ key }) => key),
    );
    await this.inbox.skip(person.id, news.filter(({ event }) => events.page.includes(event)).map(inPageOf));
  }

  async #newsFor(person: Person, ofRuns: readonly OfRun[]): Promise<News[]> {
    // Administrators see no payments.
    if (person.roles.every((role) => role === 'administrator')) return [];
    const { waitingPlans, options } = this.#parts;
    const { plans } = await waitingPlans.of(person, 0);
    const waiting = plans.filter(({ isMine }) => isMine);
    const ofPlans = waiting.map(({ runId, name, what, waitsFor, waitsForKey, rehearsal }): News => {
      const facts = { name, news: t`is waiting for you`, facts: [`${what}.`, waitsFor] };
      // What waits for the approver may later wait for who starts it: that is news again.
      const key = `waiting ${runId} ${waitsForKey}`;
      const url = `${options.origin}/runs/${runId}`;
      return {
        key,
        event: 'waiting',
        runId,
        letter: () => messages.notices.paymentLetter({ ...facts, url }),
        rehearsal,
      };
    });
    const seen = this.#parts.sight.of(person);
    const shown = ofRuns.flatMap(({ event, run }): News[] => {
      const { sees } = seen.ofRun(run.summary.header);
      return sees === 'nothing' ? [] : [this.#newsOf(event, run, sees)];
    });
    return [...ofPlans, ...(await this.#newsOfAccounts(plans)), ...shown];
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
      const elsewhere = plural(
        count,
        '# payout of it goes to another account than the recipient was last paid on.',
        '# payouts of it go to another account than the recipient was last paid on.',
      );
      const letter = () =>
        messages.notices.paymentLetter({
          name,
          news: t`pays changed accounts, and waits for your approval`,
          facts: [`${what}.`, String(elsewhere)],
          url: `${options.origin}/runs/${runId}`,
        });
      return [{ key: `changed_details ${runId}`, event: 'changed_details', runId, letter, rehearsal }];
    });
  }

  async #newsOfRuns(): Promise<OfRun[]> {
    const history = (await this.#parts.deps.reads.history()).slice(0, RUNS_LOOKED_AT);
    const stopped = await this.#stopped(history);
    const news: OfRun[] = [];
    for (const run of history) {
      const { counts, state } = run;
      const isCut = state === 'finished' && (counts?.not_submitted ?? 0) > 0;
      if ((counts?.failed ?? 0) + (counts?.rejected ?? 0) > 0) news.push({ event: 'failed', run });
      if ((counts?.unresolved ?? 0) > 0) news.push({ event: 'unresolved', run });
      if (run.returned !== null) news.push({ event: 'returned', run });
      if (isCut || stopped.has(run.summary.run_id)) news.push({ event: 'stopped', run });
    }
    return news;
  }

  #newsOf(event: NoticeEvent, run: RunInHistory, sees: Sees): News {
    const { run_id, header } = run.summary;
    const from = sees === 'all' ? t` from ${header.input.name}` : '';
    const letter = () =>
      messages.notices.paymentLetter({
        name: paymentName(sees === 'all' ? header : unnamed(header)),
        news: statusText(run).toLowerCase(),
        facts: [`${counted(header.payouts, 'payout')}${from}.`],
        url: `${this.#parts.options.origin}/runs/${run_id}`,
      });
    // Payouts come back one after another, and each time it is news again.
    const times = event === 'returned' ? ` ${run.returned?.count}` : '';
    return { key: `${event} ${run_id}${times}`, event, runId: run_id, letter, rehearsal: header.rehearsal };
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

function inPageOf({ key, event, runId, letter, rehearsal }: News) {
  return { key, event, runId, text: letter().subject, isRehearsal: rehearsal };
}
