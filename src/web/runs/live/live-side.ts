import type { RunState } from '../../../domain/run/run-state.ts';
import { localIso } from '../../../messages/local-time.ts';
import { asSentence } from '../../../messages/text.ts';
import { plural, textTable } from '../../../messages/translate.ts';
import { type Html, html, type Shown } from '../../shell/html.ts';
import { count } from '../../shell/parts.ts';
import { shownRow } from '../rows/rows.ts';
import type { Latest, LatestCode } from './latest.ts';

/** A person who opened the page; `at` in Unix ms. */
export type Opened = { name: string; at: number };

type SideShown = {
  run: RunState;
  latest: readonly Latest[];
  /** Others who opened the page. */
  opened: readonly Opened[];
  /** Requests without an answer or without effect, in the last minute. */
  errors: number;
  isRunning: boolean;
  /** Whether names are hidden. */
  isBrief: boolean;
};

const SHOWN = 8;

/** What happened lately, newest first, and how the service answers. `isLive`: replaces that of an open page. */
export function liveSide({ run, latest, opened, errors, isRunning, isBrief }: SideShown, isLive = false): Html {
  const happened = latest.map((one) => ({ at: one.at, text: wordsOf(run, one, isBrief) }));
  const came = opened.map(({ at, name }) => ({ at, text: html`${name} opened this page` }));
  const all = [...happened, ...came].sort((one, other) => other.at - one.at).slice(0, SHOWN);
  const items = all.map(
    ({ at, text }) => html`<li><time>${localIso(at).slice(11, 19)}</time><span>${text}</span></li>`,
  );
  const list =
    all.length === 0 ? html`<p class="soft">Nothing was sent yet.</p>` : html`<ol class="latest">${items}</ol>`;
  const service = html`<section aria-labelledby="service-now"><h2 id="service-now">Service</h2>
<dl class="kv"><dt>Errors</dt><dd>${count(errors)} in the last minute</dd></dl>
<p class="soft small">You can close this page. Sending goes on.</p></section>`;
  return html`<div id="live-side"${isLive && html` hx-swap-oob="outerMorph"`}><section aria-labelledby="latest"><h2 id="latest">Live</h2>
${list}</section>
${isRunning && service}</div>`;
}

function wordsOf(run: RunState, { code, moved, count: payouts }: Latest, isBrief: boolean): Shown {
  if (code === 'unconfirmed')
    return plural(
      payouts,
      '# payout is unconfirmed: payrun checks it',
      '# payouts are unconfirmed: payrun checks them',
    );
  const words = WORDS[code];
  if (typeof words === 'string') return words;
  if (isBrief || moved === null) return words.one;
  const { name, message } = shownRow(run, moved.row, { phase: 'running', mayHaveCopy: false }, moved.payout);
  return html`<b>${name}</b> ${words.of}${message !== null && html` <span class="soft">${asSentence(message)}</span>`}`;
}

/** `of`: behind the name of who is paid; `one`: where that is hidden. */
const WORDS: Readonly<Record<Exclude<LatestCode, 'unconfirmed'>, string | { of: string; one: string }>> = textTable({
  started: 'Sending started',
  taken_up: 'Sending continued',
  paused: 'Paused',
  resumed: 'Resumed',
  stopped: 'Sending was interrupted',
  cancelled: 'Stopped',
  failed: { of: 'failed.', one: 'A payout failed' },
  rejected: { of: 'was rejected.', one: 'A payout was rejected' },
  unresolved: { of: 'needs a decision.', one: 'A payout needs a decision' },
});
