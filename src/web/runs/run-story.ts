import type { Actor, Entry, EntryKind, EntryOf, PlacedEntry } from '../../domain/entry.ts';
import { shownMoment, zoneName } from '../../messages/local-time.ts';
import { messages } from '../../messages/messages.ts';
import { counted, number } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { viewer } from '../../messages/viewer.ts';
import { pageOf } from '../shell/parts.ts';
import { countWords } from '../shell/words.ts';
import type { PageAct, PageProof } from './run-head.ts';

/** What happened to a run as a whole, in words; `at` in Unix ms. */
type StoryEntry = { n: number; at: number; text: string };

/** An entry, which gets its words when somebody reads it, in that language. */
type Kept = Omit<StoryEntry, 'text'> & { words(): Words };
/** A function where they depend on what the log of the page has. */
type Words = string | ((proof: PageProof) => string);

/** A page of a run's history. `single`: entries about single payouts, counted by text; `more`: entries not kept. */
export type StoryPage = {
  entries: StoryEntry[];
  page: number;
  pages: number;
  single: { text: string; count: number }[];
  more: number;
};

/** Longer histories are hundreds of resumes or rejected rows. */
const ENTRIES_KEPT_MAX = 1_000;

/** A run's journal as people read it, entry by entry. */
export class RunStory {
  readonly #entries: Kept[] = [];
  #acts: PageActs = { runId: null, retries: null };
  #more = 0;
  readonly #single = new Map<EntryKind, number>();

  add({ n, at, entry }: Pick<PlacedEntry, 'n' | 'at' | 'entry'>): void {
    if (entry.kind === 'run_created') this.#acts = { runId: entry.run_id, retries: entry.retries };
    const { kind } = entry;
    const words = WORDS[kind];
    const acts = this.#acts;
    if (words === null) return;
    if (typeof words === 'string') this.#single.set(kind, (this.#single.get(kind) ?? 0) + 1);
    else if (this.#entries.length >= ENTRIES_KEPT_MAX) this.#more++;
    else this.#entries.push({ n, at, words: () => (words as (entry: Entry, acts: PageActs) => Words)(entry, acts) });
  }

  /** A person that a command named did it on the page only where the page's own log has it. */
  page(asked: number, size: number, proof: PageProof): StoryPage {
    const { shown, ...pages } = pageOf(this.#entries, asked, size);
    const entries = shown.map(({ n, at, words }) => {
      const text = words();
      return { n, at, text: typeof text === 'string' ? text : text(proof) };
    });
    const single = Array.from(this.#single, ([kind, count]) => ({ text: String(WORDS[kind]), count }));
    return { entries, ...pages, single, more: pages.page === pages.pages ? this.#more : 0 };
  }
}

/**
 * The words for each kind of entry; a text where entries happen to single payouts all the time, and are only counted under
 * it; null where the history leaves it out.
 */
const WORDS: { readonly [Kind in EntryKind]: string | null | ((entry: EntryOf<Kind>, acts: PageActs) => Words) } =
  textTable({
    run_created: ({ input, payouts }) =>
      t`Made from ${input.name}, ${counted(payouts, 'payout')}, SHA-256 ${input.sha256}.`,
    rows: null,
    lease_taken: leaseWords,
    planned: plannedWords,
    approved: (entry) => approvedWords(entry),
    scheduled: scheduledWords,
    started: (entry, acts) =>
      entry.page_person === undefined
        ? t`Started from ${entry.by}.`
        : (proof) => t`Started by ${actor(entry, proof, [{ runId: acts.runId, act: 'started' }])}.`,
    canary: null,
    canary_failed: ({ fault, message }) =>
      t`The first payout could not be found again (${fault === undefined ? message : messages.stops.canaryText(fault)}), so no more were sent.`,
    promises: null,
    lag_seen: null,
    expiry_broken: null,
    accounted: null,
    returned: ({ row, transaction_id, return_id }) =>
      t`Row ${row} was returned: ${return_id} at the service brings ${transaction_id} back.`,
    notify: null,
    notified: null,
    remittance: null,
    remittance_sent: null,
    remittance_refused: null,
    ensure_intent: 'a payee or an account asked for',
    ensure_doubt: null,
    ensure_no_effect: null,
    ensure_rejected: null,
    ensure_unresolved: null,
    ensure_ambiguous: null,
    ensured: 'a payee or an account is there',
    intent: 'payout recorded before sending',
    accepted: 'a payout accepted by the service',
    no_effect: 'an attempt without effect',
    rejected: ({ row, ...why }) => t`Row ${row} was rejected: ${messages.rejections.rejectionText(why)}`,
    doubt: 'an answer that was lost',
    replayed: null,
    unknown_transaction: null,
    looked: 'a payout looked for',
    absent: 'a payout proven not to be there',
    unresolved: ({ row, reason }) =>
      t`Row ${row} is unconfirmed and needs a decision: ${messages.notes.noteText(reason)}.`,
    suspected: ({ row, reason }) => t`Row ${row} may have been paid already: ${messages.notes.noteText(reason)}.`,
    resolved: resolvedWords,
    surfaced: ({ row, transaction_id }) =>
      t`Row ${row} may have been paid twice: the service also has ${transaction_id}.`,
    final: 'a payout final',
    not_submitted: 'a payout not submitted',
    cancelled: cancelledWords,
    paused: (entry, acts) => (proof) => t`Paused by ${actor(entry, proof, [{ runId: acts.runId, act: 'paused' }])}.`,
    resumed: (entry, acts) => (proof) => t`Resumed by ${actor(entry, proof, [{ runId: acts.runId, act: 'resumed' }])}.`,
    stopped: ({ reason, message: stopMessage = null, why: stopWhy = null }) => {
      const why = messages.stops.stoppedText({ stopMessage, stopWhy }, 'page');
      return t`Stopped: ${STOPS[reason]}${why === null ? '' : `. ${why}`}`;
    },
    finished: ({ counts }) => t`Finished: ${countWords(counts)}.`,
  });

/** Under which runs the log of the page has what was done to this one. */
type PageActs = { runId: string | null; retries: string | null };

function actor(who: Actor, proof: PageProof, acts: readonly PageAct[]): string {
  return messages.actors.actorText(who, who.page_person !== undefined && proof(who.page_person, acts));
}

function plannedWords(entry: EntryOf<'planned'>, { runId, retries }: PageActs): Words {
  const { plan, signature, by, page_person: person } = entry;
  const preparer = plan.approval?.preparer;
  const signed = signature === undefined ? '' : t`, signed with their key`;
  if (person === undefined) return preparer === undefined ? t`Planned.` : t`Planned by ${preparer}${signed}.`;
  const planned = { runId, act: 'planned' };
  const acts = [planned, { runId: retries, act: 'retry_planned' }];
  // Plans of earlier versions did not note the account.
  const who = { by: by ?? t`an account that was not recorded`, page_person: person };
  return (proof) => {
    const from = actor(who, proof, acts);
    return preparer === undefined ? t`Planned by ${from}.` : t`Planned by ${preparer}${signed}, from ${from}.`;
  };
}

function scheduledWords(entry: EntryOf<'scheduled'>, { runId }: PageActs): Words {
  const { start } = entry;
  const acts = SCHEDULED.map((act) => ({ runId, act }));
  return (proof) => {
    const by = actor(entry, proof, acts);
    if (start === null) return t`The time of its start was removed, by ${by}.`;
    return t`Scheduled for ${messages.schedules.timeInZone(start.at, start.time_zone)}, by ${by}.`;
  };
}

/** What is done on the page where a time is set, or recalled. */
const SCHEDULED = ['planned', 'scheduled', 'schedule_recalled'] as const;

function leaseWords(entry: EntryOf<'lease_taken'>, { runId }: PageActs): Words {
  const { epoch, page_person: person } = entry;
  const times = t`for the ${ordinal(epoch)} time`;
  if (person === undefined) return t`A program resumed it, ${times}.`;
  const acts = LEASED.map((act) => ({ runId, act }));
  return (proof) =>
    proof(person, acts)
      ? t`A program resumed it for ${person} on the page, ${times}.`
      : t`A program that names ${person} on the page resumed it ${times}.`;
}

/** What is done on the page by a program that takes up the run. */
const LEASED = [
  'scheduled',
  'schedule_recalled',
  'started',
  'resumed',
  'cancelled',
  'rejected',
  'recalled',
  'resolved',
  'resubmitted_absent',
] as const;

function cancelledWords(entry: EntryOf<'cancelled'>, { runId }: PageActs): Words {
  const { replaced_by: other, plan_end: ended } = entry;
  if (ended !== undefined) {
    const why = ended.reason === '' ? '.' : `: “${ended.reason}”`;
    return (proof) => {
      const by = actor(entry, proof, [{ runId, act: ended.as }]);
      return t`${either(ended.as === 'rejected', 'Rejected', 'Recalled')} by ${by}${why}`;
    };
  }
  if (other === undefined) return (proof) => t`Cancelled by ${actor(entry, proof, [{ runId, act: 'cancelled' }])}.`;
  return (proof) => t`Replaced by the plan ${other}, by ${actor(entry, proof, [{ runId: other, act: 'planned' }])}.`;
}

function resolvedWords(entry: EntryOf<'resolved'>, { runId }: PageActs): Words {
  const { row } = entry;
  return (proof) => {
    const who = actor(entry, proof, [{ runId, act: 'resolved', row }]);
    return entry.verdict === 'sent'
      ? t`${who} recorded row ${row} as sent: ${entry.transaction_id}.`
      : t`${who} recorded row ${row} as not sent.`;
  };
}

function approvedWords({ approval }: EntryOf<'approved'>): string {
  const { approver, by, rows, expires_at, comment } = approval;
  const wrote = comment === undefined ? '' : ` “${comment}”`;
  const also = rows.length === 0 ? '' : t`, with ${counted(rows.length, 'row')} on new or changed accounts`;
  return t`Approved and signed by ${approver} (from ${by})${also}; good until ${shownMoment(expires_at, 'sentence')} ${zoneName(expires_at)}.${wrote}`;
}

const STOPS = textTable({
  interrupted: 'someone interrupted it',
  wait_timeout: 'it waited too long for outcomes',
  outage: 'the service was away',
  person_needed: 'a person is needed',
});

/** `3rd`; the number alone in other languages, whose texts say the rest. */
function ordinal(count: number): string {
  if (viewer().language !== 'en') return number(count);
  const ends = ['th', 'st', 'nd', 'rd'];
  const last = count % 100;
  return `${count}${(last > 10 && last < 14 ? undefined : ends[last % 10]) ?? 'th'}`;
}
