import type { Entry, PlacedEntry } from '../../domain/entry.ts';
import type { Sayer } from '../../domain/sayer.ts';
import { isoUtc } from '../../domain/time.ts';
import { sayerText } from '../../report/sayer-text.ts';
import type { PageAct, PageProof } from '../audit/page-proof.ts';
import { counted, countWords } from '../words.ts';

/** What happened to a run as a whole, in words; `at` in Unix ms. */
export type StoryEntry = { n: number; at: number; text: string };

/** What may be told otherwise when the log of the page has more. */
type Kept = Omit<StoryEntry, 'text'> & { words: Words };
type Words = (proof: PageProof) => string;

/** Entries that are told; more of them are some hundred resumes. */
const TOLD_MAX = 500;

/** A run's journal as people read it, told entry by entry. */
export class RunStory {
  readonly #entries: Kept[] = [];
  #acts: PageActs = { runId: null, retries: null };
  /** Entries of the same sort that are too many to be told. */
  more = 0;
  readonly #single = new Map<string, number>();

  add({ n, at, entry }: Pick<PlacedEntry, 'n' | 'at' | 'entry'>): void {
    if (entry.kind === 'run_created') this.#acts = { runId: entry.run_id, retries: entry.retries };
    const words = wordsOf(entry, this.#acts);
    const kind = words === null ? SINGLE[entry.kind] : undefined;
    if (words !== null && this.#entries.length < TOLD_MAX) this.#entries.push({ n, at, words });
    else if (words !== null) this.more++;
    else if (kind !== undefined) this.#single.set(kind, (this.#single.get(kind) ?? 0) + 1);
  }

  /** With those whom a command has named said to have done it on the page only where the page's own log has it. */
  told(proof: PageProof): StoryEntry[] {
    return this.#entries.map(({ n, at, words }) => ({ n, at, text: words(proof) }));
  }

  /** How many entries there are about single payouts and payees, by what they say; their rows are told with the run. */
  get single(): { text: string; count: number }[] {
    return Array.from(this.#single, ([text, count]) => ({ text, count }));
  }
}

const SINGLE: Readonly<Partial<Record<Entry['kind'], string>>> = {
  ensure_intent: 'a payee or an account asked for',
  ensured: 'a payee or an account is there',
  intent: 'a payout written down before it was sent',
  accepted: 'a payout accepted by the service',
  no_effect: 'an attempt without effect',
  doubt: 'an answer that was lost',
  looked: 'a payout looked for',
  absent: 'a payout proven not to be there',
  final: 'a payout final',
  not_submitted: 'a payout not submitted',
};

/** Null for what happens to single payouts all the time. */
function wordsOf(entry: Entry, acts: PageActs): Words | null {
  switch (entry.kind) {
    case 'planned':
      return plannedWords(entry, acts);
    case 'started':
      if (entry.page_person === undefined) return () => `Started from ${entry.by}.`;
      return (proof) => `Started by ${sayer(entry, proof, [{ runId: acts.runId, act: 'started' }])}.`;
    case 'lease_taken':
      return leaseWords(entry, acts);
    case 'paused':
      return (proof) => `Paused by ${sayer(entry, proof, [{ runId: acts.runId, act: 'paused' }])}.`;
    case 'resumed':
      return (proof) => `Resumed by ${sayer(entry, proof, [{ runId: acts.runId, act: 'resumed' }])}.`;
    case 'cancelled':
      return cancelledWords(entry, acts);
    case 'resolved':
      return resolvedWords(entry, acts);
    default: {
      const text = textOf(entry);
      return text === null ? null : () => text;
    }
  }
}

/** The same, where nobody of the page is named. */
function textOf(entry: Entry): string | null {
  switch (entry.kind) {
    case 'run_created':
      return `Made from ${entry.input.name}, ${counted(entry.payouts, 'payout')}, SHA-256 ${entry.input.sha256}.`;
    case 'approved':
      return approvedWords(entry);
    case 'stopped':
      return `Stopped: ${STOPS[entry.reason]}${entry.message === undefined ? '' : `. ${entry.message}`}`;
    case 'finished':
      return `Finished: ${countWords(entry.counts)}.`;
    case 'unresolved':
      return `Row ${entry.row} is in doubt and waits for a person: ${entry.reason}.`;
    case 'suspected':
      return `Row ${entry.row} was perhaps paid already: ${entry.reason}.`;
    case 'surfaced':
      return `Row ${entry.row} was perhaps paid twice: ${entry.transaction_id} stands at the service too.`;
    case 'rejected':
      return `Row ${entry.row} was rejected: ${entry.message}`;
    case 'canary_failed':
      return `The first payout could not be found again (${entry.message}), so no more were sent.`;
    default:
      return null;
  }
}

/** Under which runs the log of the page has what was done to this one. */
type PageActs = { runId: string | null; retries: string | null };

function sayer(who: Sayer, proof: PageProof, acts: readonly PageAct[]): string {
  return sayerText(who, who.page_person !== undefined && proof(who.page_person, acts));
}

function plannedWords(entry: Extract<Entry, { kind: 'planned' }>, { runId, retries }: PageActs): Words {
  const { plan, signature, by, page_person: person } = entry;
  const signed = signature === undefined ? '' : ', signed with their key';
  const made = plan.approval === null ? 'Planned' : `Planned by ${plan.approval.preparer}${signed}`;
  if (person === undefined) return () => `${made}.`;
  const planned = { runId, act: 'planned' };
  const acts = [planned, { runId: retries, act: 'retry_planned' }];
  // Plans of before did not note the account.
  const who = { by: by ?? 'an account that was not noted', page_person: person };
  return (proof) => `${made}${plan.approval === null ? ' by' : ', from'} ${sayer(who, proof, acts)}.`;
}

function leaseWords(entry: Extract<Entry, { kind: 'lease_taken' }>, { runId }: PageActs): Words {
  const { epoch, page_person: person } = entry;
  const times = `for the ${ordinal(epoch)} time`;
  if (person === undefined) return () => `A program took it up, ${times}.`;
  const acts = LEASED.map((act) => ({ runId, act }));
  return (proof) =>
    proof(person, acts)
      ? `A program took it up for ${person} on the page, ${times}.`
      : `A program, which names ${person} on the page, took it up ${times}.`;
}

/** What is done on the page by a program that takes up the run. */
const LEASED = ['started', 'resumed', 'cancelled', 'resolved', 'resubmitted_absent'] as const;

function cancelledWords(entry: Extract<Entry, { kind: 'cancelled' }>, { runId }: PageActs): Words {
  const { replaced_by: other } = entry;
  if (other === undefined) return (proof) => `Cancelled by ${sayer(entry, proof, [{ runId, act: 'cancelled' }])}.`;
  return (proof) => `Replaced by the plan ${other}, by ${sayer(entry, proof, [{ runId: other, act: 'planned' }])}.`;
}

function resolvedWords(entry: Extract<Entry, { kind: 'resolved' }>, { runId }: PageActs): Words {
  const { row } = entry;
  const verdict = entry.verdict === 'sent' ? `sent, as ${entry.transaction_id}` : 'not sent';
  return (proof) => {
    const who = sayer(entry, proof, [{ runId, act: 'resolved', row }]);
    return `${who}${who.endsWith(' on the page') ? ',' : ''} said of row ${row}: ${verdict}.`;
  };
}

function approvedWords({ approval }: Extract<Entry, { kind: 'approved' }>): string {
  const { approver, by, rows, expires_at } = approval;
  const also = rows.length === 0 ? '' : `, with ${counted(rows.length, 'row')} on new or changed accounts`;
  return `Approved and signed by ${approver} (from ${by})${also}; good until ${isoUtc(expires_at).slice(0, 16).replace('T', ' ')} UTC.`;
}

const STOPS = {
  interrupted: 'somebody interrupted it',
  wait_timeout: 'it waited too long for outcomes',
  outage: 'the service was away',
  person_needed: 'a person is needed',
} as const;

function ordinal(count: number): string {
  const ends = ['th', 'st', 'nd', 'rd'];
  const last = count % 100;
  return `${count}${(last > 10 && last < 14 ? undefined : ends[last % 10]) ?? 'th'}`;
}
