import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import type { Counts } from '../../domain/entry.ts';
import { counted } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import type { OpenCounts } from '../runs/runs.ts';
import { type Html, html } from '../shell/html.ts';
import { isMixed, rowBadge } from '../shell/mode.ts';
import { paymentName } from '../shell/words.ts';

/** What somebody has to look at: a payment, what of it, and what is done about it there. */
type Need = { run: RunInHistory; what: string; mark: 'unresolved' | 'in_doubt' | 'failed'; act: string };

/**
 * What is known beside the history: `changed` has, of plans that wait, the payouts to changed accounts, and `missed` those that
 * missed their time.
 */
type Beside = { open: OpenCounts; changed: ReadonlyMap<string, number>; missed: ReadonlySet<string> };

/** What failed or was returned longer ago is under Payments. */
const FAILED_MS = 30 * 86_400_000;
const SHOWN_MAX = 10;

/**
 * What needs a person, the gravest first: payouts that need a decision, payments that stopped or missed their time, changed bank
 * details in what awaits approval, payouts that failed, payouts that were returned.
 */
export function needsPart(runs: readonly RunInHistory[], beside: Beside, nowMs: number): Html {
  const needs = needsOf(runs, beside, nowMs);
  const isMixedList = isMixed(needs.map(({ run }) => run.summary.header.rehearsal));
  const items = needs.slice(0, SHOWN_MAX).map((need) => needItem(need, isMixedList));
  const more = needs.length - items.length;
  return html`<section class="stack" aria-labelledby="needs"><h2 id="needs">Needs you${needs.length > 0 && html` <span class="tag">${needs.length}</span>`}</h2>
${items.length === 0 ? html`<p class="soft">No payout failed or needs a decision.</p>` : html`<ul class="todo">${items}</ul>`}
${more > 0 && html`<p class="soft small"><a href="/runs">And ${more} more under Payments</a></p>`}</section>`;
}

function needsOf(
  runs: readonly RunInHistory[],
  { open, changed: changedIn, missed: missedIn }: Beside,
  nowMs: number,
): Need[] {
  const retried = new Set(runs.flatMap(({ summary }) => (summary.isPlanned ? [] : (summary.header.retries ?? []))));
  const [decide, stopped, missed]: [Need[], Need[], Need[]] = [[], [], []];
  const [changed, failed, back]: [Need[], Need[], Need[]] = [[], [], []];
  for (const run of runs) {
    const { summary, state, returned } = run;
    const counts = run.counts ?? open.get(summary.run_id) ?? null;
    const unresolved = state === 'finished' ? (counts?.unresolved ?? 0) : 0;
    if (unresolved > 0)
      decide.push({ run, what: t`${counted(unresolved, 'payout')} to decide`, mark: 'unresolved', act: t`Decide` });
    if (state === 'stopped') stopped.push({ run, what: stoppedText(counts), mark: 'unresolved', act: t`Look at it` });
    if (missedIn.has(summary.run_id))
      missed.push({ run, what: t`Missed its time`, mark: 'unresolved', act: t`Look at it` });
    const accounts = changedIn.get(summary.run_id) ?? 0;
    if (accounts > 0)
      changed.push({
        run,
        what: t`${counted(accounts, 'payout')} to changed accounts`,
        mark: 'in_doubt',
        act: t`Review`,
      });
    const bad = state === 'finished' ? (counts?.failed ?? 0) + (counts?.rejected ?? 0) : 0;
    if (bad > 0 && !retried.has(summary.run_id) && summary.created_at > nowMs - FAILED_MS)
      failed.push({ run, what: t`${counted(bad, 'payout')} failed`, mark: 'failed', act: t`Fix` });
    if (returned !== null && returned.at > nowMs - FAILED_MS)
      back.push({ run, what: t`${counted(returned.count, 'payout')} returned`, mark: 'failed', act: t`Review` });
  }
  return [...decide, ...stopped, ...missed, ...changed, ...failed, ...back];
}

function stoppedText(counts: Counts | null): string {
  const left = counts?.not_submitted ?? 0;
  const doubtful = counts?.unresolved ?? 0;
  const parts = [
    ...(left > 0 ? [t`${counted(left, 'payout')} not sent`] : []),
    ...(doubtful > 0 ? [t`${counted(doubtful, 'payout')} not final`] : []),
  ];
  return [t`Stopped`, ...parts].join(', ');
}

function needItem({ run: { summary }, what, mark, act }: Need, isMixedList: boolean): Html {
  const { run_id, header } = summary;
  const name = paymentName(header);
  return html`<li><span class="status ${mark}">${what}</span><span class="what">${name}${rowBadge(header.rehearsal, isMixedList)}</span><a class="button" href="/runs/${run_id}">${act}<span class="hidden">: ${name}</span></a></li>`;
}
