import type { ListedState, RunInHistory } from '../../app/history/runs-in-history.ts';
import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { type Plural, plural, textTable } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { isMixed, rowBadge } from '../shell/mode.ts';

/** In the order in which they are offered. The mark says what the word says. */
export const STATES: Readonly<Record<ListedState, { label: string; mark: string }>> = textTable(
  {
    planned: { label: 'Awaiting approval', mark: 'waiting' },
    running: { label: 'Sending', mark: 'accepted' },
    stopped: { label: 'Stopped', mark: 'unresolved' },
    finished: { label: 'Completed', mark: 'completed' },
    rejected_plan: { label: 'Rejected', mark: 'rejected' },
    recalled_plan: { label: 'Recalled', mark: 'not_submitted' },
    cancelled_plan: { label: 'Discarded', mark: 'not_submitted' },
    overtaken_plan: { label: 'Superseded', mark: 'not_submitted' },
  },
  ['mark'],
);

/** What of a payment's payouts is named beside its state, the gravest first, and its mark. */
const EXCEPTIONS: readonly { status: ReportStatus; words: (count: number) => Plural; mark: string }[] = [
  {
    status: 'unresolved',
    words: (count) => plural(count, '# needs a decision', '# need a decision'),
    mark: 'unresolved',
  },
  { status: 'failed', words: (count) => plural(count, '# failed', '# failed'), mark: 'failed' },
  { status: 'rejected', words: (count) => plural(count, '# rejected', '# rejected'), mark: 'failed' },
  { status: 'not_submitted', words: (count) => plural(count, '# not sent', '# not sent'), mark: 'unresolved' },
];

/** `Completed, 2 failed`; `Stopped, 157 not sent`. Of a payment that is under way only what needs a person is named. */
export function paymentStatus(run: RunInHistory, isMixed = false): Html {
  return html`${statusPill(run)}${rowBadge(run.summary.header.rehearsal, isMixed)}`;
}

/** Whether a list has payments that move money, and rehearsals. */
export function hasBoth(runs: readonly RunInHistory[]): boolean {
  return isMixed(runs.map(({ summary }) => summary.header.rehearsal));
}

/** The same where the page around it says whether it is a rehearsal. */
export function statusPill(standing: Standing): Html {
  const { text, mark } = statusOf(standing);
  return html`<span class="status ${mark}">${text}</span>`;
}

/** The same as text. */
export function statusText(run: RunInHistory): string {
  return statusOf(run).text;
}

/** `returned`: how many completed payouts came back. */
type Standing = Pick<RunInHistory, 'state' | 'counts'> & { returned?: { count: number } | null };

function statusOf({ state, counts, returned = null }: Standing): { text: string; mark: string } {
  const { label, mark } = STATES[state];
  const isSending = state === 'running';
  const named = EXCEPTIONS.filter(({ status }) => (counts?.[status] ?? 0) > 0);
  const shown = named.filter(({ status }) => !isSending || status === 'unresolved');
  const isCut = state === 'finished' && (counts?.not_submitted ?? 0) > 0;
  const words = shown.map(({ status, words }) => String(words(counts?.[status] ?? 0)));
  if (returned !== null) words.push(String(plural(returned.count, '# returned', '# returned')));
  const text = [isCut ? STATES.stopped.label : label, ...words].join(', ');
  return { text, mark: shown[0]?.mark ?? (returned === null ? mark : 'failed') };
}
