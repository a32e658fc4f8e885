import type { Entry, PlacedEntry } from '../../domain/entry.ts';
import { isoUtc } from '../../domain/time.ts';
import { sayerText } from '../../report/sayer-text.ts';
import { counted, countWords } from '../words.ts';

/** What happened to a run as a whole, in words; `at` in Unix ms. */
export type StoryEntry = { n: number; at: number; text: string };

/** Entries that are told; more of them are some hundred resumes. */
const TOLD_MAX = 500;

/** A run's journal as people read it, told entry by entry. */
export class RunStory {
  readonly entries: StoryEntry[] = [];
  /** Entries of the same sort that are too many to be told. */
  more = 0;
  readonly #single = new Map<string, number>();

  add({ n, at, entry }: Pick<PlacedEntry, 'n' | 'at' | 'entry'>): void {
    const text = wordsOf(entry);
    const kind = text === null ? SINGLE[entry.kind] : undefined;
    if (text !== null && this.entries.length < TOLD_MAX) this.entries.push({ n, at, text });
    else if (text !== null) this.more++;
    else if (kind !== undefined) this.#single.set(kind, (this.#single.get(kind) ?? 0) + 1);
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
function wordsOf(entry: Entry): string | null {
  switch (entry.kind) {
    case 'run_created':
      return `Made from ${entry.input.name}, ${counted(entry.payouts, 'payout')}, SHA-256 ${entry.input.sha256}.`;
    case 'planned':
      return plannedWords(entry);
    case 'approved':
      return approvedWords(entry);
    case 'started':
      return entry.page_person === undefined ? `Started from ${entry.by}.` : `Started by ${sayerText(entry)}.`;
    case 'lease_taken':
      return `A program took it up${entry.page_person === undefined ? '' : ` for ${entry.page_person} on the page`}, for the ${ordinal(entry.epoch)} time.`;
    case 'cancelled':
      return entry.replaced_by
        ? `Replaced by the plan ${entry.replaced_by}, by ${sayerText(entry)}.`
        : `Cancelled by ${sayerText(entry)}.`;
    case 'stopped':
      return `Stopped: ${STOPS[entry.reason]}${entry.message === undefined ? '' : `. ${entry.message}`}`;
    case 'finished':
      return `Finished: ${countWords(entry.counts)}.`;
    case 'resolved':
      return `${sayerText(entry)}${entry.page_person === undefined ? '' : ','} said of row ${entry.row}: ${entry.verdict === 'sent' ? `sent, as ${entry.transaction_id}` : 'not sent'}.`;
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

function plannedWords({ plan, signature, page_person: person }: Extract<Entry, { kind: 'planned' }>): string {
  if (plan.approval === null) return person === undefined ? 'Planned.' : `Planned by ${person} on the page.`;
  const signed = signature === undefined ? '' : ', signed with their key';
  return `Planned by ${plan.approval.preparer}${signed}${person === undefined ? '' : ', on the page'}.`;
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
