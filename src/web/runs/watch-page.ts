import { TimeSlice } from '../../app/background/time-slice.ts';
import type { Awaited } from '../../domain/outcomes/awaited.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { asSentence, capital } from '../../messages/text.ts';
import { plural, t } from '../../messages/translate.ts';
import { comparedCounts } from '../plans/compared-part.ts';
import { keptCompared } from '../plans/plan-view.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { answer } from '../shell/layout.ts';
import { count, type Problem, problemNotice } from '../shell/parts.ts';
import { signedIn, type WebContext } from '../web.ts';
import { doubtsPart, shownDoubts } from './doubts.ts';
import type { WatchSnapshot } from './followed-run.ts';
import { type Found, mayAct, pageOf } from './found-run.ts';
import { liveSide, type Opened } from './live/live-side.ts';
import { overTime } from './live/over-time.ts';
import { rowsPage, rowsToAttend } from './rows/rows.ts';
import { rowsPart } from './rows/rows-part.ts';
import { actsPart, type PageProof, pageProof, runHead } from './run-head.ts';
import { commentsOf, filesPart, timelinePart } from './timeline.ts';
import { totalsPart } from './totals.ts';

/** How a run stands, beside its journal, and for who looks. */
type Live = {
  runId: string;
  snapshot: WatchSnapshot;
  /** What a command of this page is doing to the run, as the audit log calls it. */
  going: string | null;
  refused: Problem | null;
  /** What the run is waiting for, if anything. */
  awaits: Awaited | null;
  /** Whether this person may stop it and let it go on. */
  mayAct: boolean;
  /** Whether its rows are hidden from them. */
  isBrief?: boolean;
};

/** Shows a run that is under way, or was cut off: how far it is, as it goes. */
export async function showWatch(context: WebContext, { followed, snapshot }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { run, runId } = followed;
  const isActor = mayAct(context);
  const compared = await keptCompared(web, person, runId);
  const refused = await web.runTasks.refusal(runId);
  const { phase } = snapshot;
  const rows = await rowsPage(followed, rowsToAttend(followed, phase), new TimeSlice(web.deps.clock), phase);
  const proof = await pageProof(web, run);
  const [going, awaits] = [await web.runTasks.going(runId), web.runTasks.awaited.of(runId)];
  const live = { runId, snapshot, going, awaits, refused, mayAct: isActor };
  const body = html`${runHead(run, proof, { tab: 'payouts', ...liveActs(live) })}
<div class="payment">
<div class="stack">
<div id="live" class="stack" hx-sse:connect="/runs/${runId}/events" hx-sse:close="over" hx-swap="innerMorph">
${livePart(live)}
</div>
<noscript><p><a class="button" href="/runs/${runId}">Look again</a></p></noscript>
${snapshot.phase === 'stopped' && doubtsPart(runId, shownDoubts(followed), { mayAct: isActor })}
${rowsPart(runId, rows, { isLive: true, isStarted: true })}
</div>
<aside class="side" aria-label="Timeline and files">${sidePart(run, { snapshot, opened: [] })}
${timelinePart(run, { proof, comments: await commentsOf(web, runId), next: null })}
${compared && comparedCounts(compared)}
${filesPart(run)}</aside>
</div>`;
  return answer(context, { ...pageOf(run), body });
}

/** The part that is exchanged as the run goes on. */
export function livePart({ snapshot, going, awaits, refused, isBrief = false }: Live): Html {
  const { counts, total, totals, settled, sent, phase, stopMessage } = snapshot;
  const percent = total === 0 ? 0 : Math.floor((settled * 100) / total);
  const toSend = total - counts.rejected - counts.not_submitted;
  const { title, means } = standing(snapshot, going);
  const isLive = phase === 'running';
  const { curve, pace, nowMs } = snapshot;
  const endAt = pace.secondsLeft !== null && counts.waiting > 0 ? nowMs + pace.secondsLeft * 1_000 : null;
  const beside = isLive ? overTime({ points: curve, total: toSend, endAt }) : null;
  // Why it stopped stands below, in the same words.
  const isBelow = refused !== null && refused.message === stopMessage;
  return html`${problemNotice(isBelow ? null : refused)}
<section class="watch" aria-labelledby="standing">
<div class="${means === '' ? 'hidden' : 'banner'}">${icon(phase === 'stopped' ? 'stopped' : 'clock')}<div><h2 id="standing">${title}</h2>${means && html`<p>${means}</p>`}</div></div>
<div class="head"><p class="far"><data id="sent-count" value="${sent}">${count(sent)}</data> <span class="soft">of ${count(toSend)} sent</span></p><span class="soft">${paceText(snapshot)}</span></div>
${awaits && html`<p class="soft small awaits">${capital(asSentence(messages.pace.awaitedText(awaits)))}</p>`}
<p class="hidden" role="status">${title}, ${Math.floor(percent / 10) * 10} percent are final</p>
</section>
${totalsPart(totals, { isLive, isBrief, beside })}`;
}

/** What happened lately, beside it. `opened`: the others who opened the page. */
export function sidePart(
  run: RunState,
  { snapshot, opened, isBrief = false }: Pick<Live, 'snapshot' | 'isBrief'> & { opened: readonly Opened[] },
  isLive = false,
): Html {
  const { latest, errors, phase } = snapshot;
  return liveSide({ run, latest, opened, errors, isBrief, isRunning: phase === 'running' }, isLive);
}

/** The status and the actions for the page's head. */
export function liveActs({ runId, snapshot, going, mayAct, isBrief = false }: Omit<Live, 'awaits'>) {
  const { title } = standing(snapshot, going);
  const mark = snapshot.phase === 'stopped' && going === null && !snapshot.isHeld ? 'not_submitted' : 'accepted';
  return {
    status: html`<span class="status ${mark}">${title}</span>`,
    actions: mayAct ? acts(runId, snapshot, going, isBrief) : null,
  };
}

/** Whether there is something that a pause keeps from being sent. */
export function mayPause({ phase, isHeld, isCancelled, isPaused, counts }: WatchSnapshot): boolean {
  return phase === 'running' && isHeld && !isCancelled && !isPaused && counts.waiting > 0;
}

/** What a person may do now. What waits for a command that was just given has no buttons. */
function acts(runId: string, snapshot: WatchSnapshot, going: string | null, isBrief: boolean): Html | null {
  const { phase, isCancelled, isHeld, isStarted, counts } = snapshot;
  const isStopped = phase === 'stopped' && !isHeld && going === null;
  if (!isStarted || going === 'cancelled' || (isCancelled && !isStopped)) return null;
  const goOn = html`<form method="post" action="/runs/${runId}/resume"><button class="primary">Go on</button></form>`;
  const pay = html`<a class="button" href="/runs/${runId}/remaining">Pay the remaining ${count(counts.waiting)}…</a>`;
  const pause = html`<form method="post" action="/runs/${runId}/pause"><button>Pause</button></form>`;
  const stop = html`<a class="button danger" href="/runs/${runId}/cancel">Stop…</a>`;
  return actsPart([
    mayPause(snapshot) && pause,
    !isCancelled && stop,
    isStopped && !isCancelled && !isBrief && counts.waiting > 0 && pay,
    isStopped && goOn,
  ]);
}

type Standing = { title: string; means: string };

const nothingLost = () => t`Nothing is lost. “Go on” first looks up what was sent, and pays nobody twice.`;

/** What happens to the run now, and what that means. */
function standing(snapshot: WatchSnapshot, going: string | null): Standing {
  const { phase, isStarted, isHeld, isCancelled, isPaused, counts, sent } = snapshot;
  if (!isStarted) return { title: t`Starting`, means: t`The service is checked again before anything is sent.` };
  if (phase === 'finished') return { title: t`Finished`, means: '' };
  if (going === 'cancelled' || (isCancelled && isHeld))
    return { title: t`Stopping`, means: t`Nothing more is sent. payrun waits for the outcome of what was sent.` };
  if (isPaused && isHeld)
    return { title: t`Pausing`, means: t`Nothing more is sent. payrun waits for the outcome of what was sent.` };
  if (phase === 'stopped')
    return isHeld || going !== null
      ? { title: t`Going on`, means: t`Asking the service what became of the payouts that were sent.` }
      : stopped(snapshot);
  if (sent + counts.sending === 0 && counts.waiting > 0) return preparing(snapshot);
  if (counts.waiting > 0) return { title: t`Sending`, means: '' };
  return { title: t`Waiting for outcomes`, means: t`All payouts were sent. The service reports when each is final.` };
}

function preparing({ prepared }: WatchSnapshot): Standing {
  const ready = prepared === 0 ? '' : t` ${count(prepared)} are ready.`;
  return { title: t`Preparing`, means: t`Payees and accounts that are missing at the service are made first.${ready}` };
}

function stopped({ stopped: why, stopText, isKeyRefused, ...snapshot }: WatchSnapshot): Standing {
  const { isCancelled, isPaused, isJustSettled } = snapshot;
  if (isCancelled)
    return {
      title: t`Stopped`,
      means: t`Nothing more is sent. “Go on” finds out what became of payouts that were sent or not looked up yet. Do not pay any of them by other means before that.`,
    };
  if (isJustSettled)
    return {
      title: t`Decided, not finished`,
      means: t`“Go on” does the rest: it checks the service, sends what is left to send, and waits.`,
    };
  if (isPaused)
    return { title: t`Paused`, means: t`Someone paused it. It waits until a person resumes it. ${nothingLost()}` };
  const reason = stopText === null ? '' : `${asSentence(stopText)} `;
  if (isKeyRefused)
    return {
      title: t`The key was refused`,
      means: t`${reason}If the key has not been replaced yet, an administrator does that in Settings, or the operator of payrun on the host. “Go on” then uses the new one. ${nothingLost()}`,
    };
  switch (why) {
    case null:
      return { title: t`Cut off`, means: t`The program working on it ended unexpectedly. ${nothingLost()}` };
    case 'interrupted':
      return { title: t`Interrupted`, means: t`Someone stopped the program that was working on it. ${nothingLost()}` };
    case 'outage':
      return { title: t`The service was away`, means: `${reason}${nothingLost()}` };
    case 'wait_timeout':
      return { title: t`Timed out`, means: t`${reason}“Go on” waits for the outcomes again.` };
    case 'person_needed':
      return { title: t`It needs you`, means: t`${reason}Once that is resolved, continue it.` };
  }
}

/** No time is promised that nobody can know. */
function paceText({ phase, pace }: WatchSnapshot): string {
  return phase === 'running' ? messages.pace.pagePaceText(pace) || t`Estimating…` : '';
}

/** Asks whether it is meant: what stopping does, and what it cannot do. */
export function cancelPage(run: RunState, runId: string, { counts }: WatchSnapshot, proof: PageProof): Html {
  const under = counts.sending + counts.accepted + counts.in_doubt;
  return html`${runHead(run, proof)}
<section class="card narrow" aria-labelledby="stop">
<h2 id="stop">Stop this run?</h2>
<ul class="points">
<li><strong>${count(counts.waiting)}</strong> ${plural(counts.waiting, 'payout waits', 'payouts wait')}: none of them is sent. When the run is over, its result plans them again.</li>
<li><strong>${count(under)}</strong> ${plural(under, 'was sent and has no outcome yet. It is', 'were sent and have no outcome yet. They are')} not taken back: the outcome is waited for.</li>
<li>Those that are completed stay completed.</li>
</ul>
<p>This cannot be undone.</p>
<div class="row"><form method="post" action="/runs/${runId}/cancel"><button class="danger">Stop the run</button></form><a class="button" href="/runs/${runId}">Keep it running</a></div>
</section>`;
}
