import type { StartTime } from '../../domain/entry.ts';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { counted } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { preparerName } from '../plans/plan-parts.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { moment, runLink } from '../shell/parts.ts';
import { countWords, sizeText } from '../shell/words.ts';
import type { Comment } from './comments.ts';
import { type PageProof, starterText } from './run-head.ts';

/** What happened to a payment, who did it, when (Unix ms), and what they wrote. */
type Step = {
  what: string;
  who?: Shown;
  at: number | null;
  wrote?: string | undefined;
  look?: 'now' | 'wrong' | 'next' | 'note';
};

/** Beside what the journal has of it: what people wrote, and what comes next (null where nothing does). `isBrief`: without reasons. */
type Beside = { proof: PageProof; comments: readonly Comment[]; next: string | null; isBrief?: boolean };

/** Which file was paid, and the reports. */
export function filesPart({ header }: RunState): Html | null {
  if (header === null) return null;
  const { run_id: runId, input } = header;
  return html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<p>${icon('draft')} <a href="/runs/${runId}/files">${input.name}</a> <span class="soft small">${sizeText(input.bytes)}</span></p>
<p>${icon('draft')} <a href="/runs/${runId}/files#reports">Reports</a></p></section>`;
}

/** From the person who prepared it over its approvers to its end, and what comes next; in the order in which it happened. */
export function timelinePart(run: RunState, { proof, comments, next, isBrief = false }: Beside): Html {
  const written = comments.map(({ who, at, wrote }): Step => ({ what: t`Comment`, who, at, wrote, look: 'note' }));
  const steps = [...stepsOf(run, proof), ...written].sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
  if (next !== null) steps.push({ what: next, at: null, look: 'next' });
  return html`<section class="timeline-part" aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<ol class="timeline">${steps.map((step) => stepItem(isBrief ? { ...step, wrote: '' } : step))}</ol></section>`;
}

function* stepsOf(run: RunState, proof: PageProof): Generator<Step> {
  const { plan, createdAt, approvals, planEnd, replacedBy, finishedAt, finished, startedAt } = run;
  if (plan !== null) yield { what: t`Prepared`, who: preparerName(plan), at: createdAt };
  for (const { approver, signed_at, rows, comment } of approvals) {
    const what = rows.length === 0 ? t`Approved` : t`Approved, with ${counted(rows.length, 'row')} to new accounts`;
    yield { what, who: approver, at: signed_at, wrote: comment };
  }
  yield* scheduleSteps(run);
  if (isPlannedOnly(run)) {
    if (planEnd !== null) {
      const { as, person, reason } = planEnd;
      const what = as === 'rejected' ? t`Rejected` : t`Recalled`;
      yield { what, who: person, at: finishedAt, wrote: reason, ...(as === 'rejected' && { look: 'wrong' }) };
    } else if (replacedBy !== null) yield { what: t`Replaced`, who: runLink(replacedBy), at: finishedAt };
    else if (run.cancelled) yield { what: t`Discarded`, at: finishedAt };
    return;
  }
  const started = { what: t`Sending started`, who: starterText(run, proof), at: startedAt ?? createdAt };
  yield finished === null ? { ...started, look: 'now' } : started;
  if (finished !== null) {
    const what = run.cancelled ? t`Stopped` : t`Finished`;
    yield { what, who: `${countWords(finished)}`, at: finishedAt, ...(run.cancelled && { look: 'wrong' }) };
  }
}

function* scheduleSteps({ schedules }: RunState): Generator<Step> {
  let before: StartTime | null = null;
  for (const { start, actor, setAt } of schedules) {
    yield { what: scheduleText(start, before === null), who: actor.page_person ?? actor.by, at: setAt };
    before = start;
  }
}

function scheduleText(start: StartTime | null, isFirst: boolean): string {
  if (start === null) return t`Time removed`;
  const time = messages.schedules.timeInZone(start.at, start.time_zone);
  return isFirst ? t`Scheduled for ${time}` : t`Time changed to ${time}`;
}

const ICONS = { done: 'check', now: 'start', wrong: 'stopped', note: 'draft' } as const;

function stepItem({ what, who, at, wrote = '', look }: Step): Html {
  return html`<li><span class="node ${look}">${look !== 'next' && icon(ICONS[look ?? 'done'])}</span><strong>${what}</strong>
${who && html`<span class="soft small">${who}</span>`}
${at !== null && html`<span class="soft small">${moment(at)}</span>`}
${wrote !== '' && html`<q>${wrote}</q>`}</li>`;
}
