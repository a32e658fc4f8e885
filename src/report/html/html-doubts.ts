import { groupThousands } from '../../domain/money.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted, withoutStop } from '../../messages/text.ts';
import type { CommandLine } from '../command-line.ts';
import { choiceTexts } from '../doubts/choice-text.ts';
import { ASK, HEADING, lookedText, WHY } from '../doubts/doubt-text.ts';
import type { DoubtAbout } from '../doubts/doubts.ts';
import { type Doubt, doubtsOf, isLookedFor } from '../doubts/doubts.ts';
import { commandHtml, momentHtml } from './html-parts.ts';
import { htmlText } from './html-text.ts';

/** Doubts of one kind that the page names: the JSON has all. */
const NAMED_MAX = 100;

type Kind = { about: DoubtAbout; count: number; first: Doubt[] };

/** Everything that is in doubt, by kind: why, which payouts, and what a person can do, with what each choice risks. */
export function doubtsHtml(run: RunState, command: CommandLine): string {
  const kinds = kindsOf(run);
  if (kinds.length === 0) return '';
  return `<section aria-labelledby="doubts"><h2 id="doubts">Needs you</h2>${kinds.map((kind) => kindHtml(kind, run, command)).join('')}</section>`;
}

function kindsOf(run: RunState): Kind[] {
  const kinds = new Map<DoubtAbout, Kind>();
  for (const doubt of doubtsOf(run)) {
    const kind = kinds.get(doubt.about) ?? { about: doubt.about, count: 0, first: [] };
    kinds.set(doubt.about, kind);
    kind.count++;
    if (kind.first.length < NAMED_MAX) kind.first.push(doubt);
  }
  return [...kinds.values()];
}

function kindHtml({ about, count, first }: Kind, run: RunState, command: CommandLine): string {
  const [doubt] = first;
  const runId = run.header?.run_id ?? '';
  const left = count - first.length;
  const more =
    left === 0
      ? ''
      : `<p class="soft">${counted(left, 'more payout')} of this kind: report.json has all, and ${htmlText(command('show', runId))} shows them.</p>`;
  return [
    `<div class="card need group"><h3>${HEADING[about]} <span class="count">${counted(count, 'payout')}</span></h3>`,
    `<p>${htmlText(WHY[about])}</p>`,
    tableHtml(about, first),
    more,
    doubt === undefined ? '' : choicesHtml(doubt, count, command),
    '</div>',
  ].join('');
}

function tableHtml(about: DoubtAbout, doubts: readonly Doubt[]): string {
  const rows = doubts.map(
    (doubt) =>
      `<tr><td>${doubt.row}</td><th scope="row">${htmlText(doubt.payee)}</th><td class="number">${htmlText(`${groupThousands(doubt.amount)} ${doubt.currency}`)}</td><td class="account">${htmlText(doubt.account)}</td><td>${sentHtml(doubt)}</td><td class="long">${foundHtml(doubt)}</td></tr>`,
  );
  const what = `${HEADING[about]}: the payouts`;
  return `<div class="scroll" role="region" tabindex="0" aria-label="${htmlText(what)}"><table><caption class="hidden">${htmlText(what)}</caption><thead><tr><th scope="col">Row</th><th scope="col">Payee</th><th scope="col" class="number">Amount</th><th scope="col">To</th><th scope="col">Sent</th><th scope="col">Looked for</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function sentHtml({ sent_at, token }: Doubt): string {
  if (sent_at === null) return '';
  return `${momentHtml(sent_at)}${token === null ? '' : ` <span class="id">${htmlText(token)}</span>`}`;
}

function foundHtml(doubt: Doubt): string {
  const { about, candidates, reason } = doubt;
  const looked = isLookedFor(about) ? [lookedText(doubt)] : [];
  const wrong = about === 'mismatch' ? [`${withoutStop(reason)}.`] : [];
  const found = candidates.length === 0 ? '' : ` Found: <span class="id">${htmlText(candidates.join(', '))}</span>`;
  return htmlText([...looked, ...wrong].join(' ')) + found;
}

/** The harmless choice first, as everywhere. */
function choicesHtml(doubt: Doubt, count: number, command: CommandLine): string {
  const { row, about } = doubt;
  const ask = ASK[about];
  const items = choiceTexts(doubt, command).map(
    ({ command: how, does, risk }) =>
      `<li>${commandHtml(how)}<p>${htmlText(does)} <strong>${htmlText(risk)}</strong></p></li>`,
  );
  const which = count === 1 ? 'What you can do' : `What you can do, as for row ${row}; the same for each other row`;
  return [
    items.length === 0 ? '' : `<p class="soft">${which}</p><ul class="choices">${items.join('')}</ul>`,
    ask === undefined ? '' : `<p>${htmlText(ask)}</p>`,
  ].join('');
}
