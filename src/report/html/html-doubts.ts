import { type Doubt, type DoubtAbout, isLookedFor } from '../../domain/outcomes/doubt.ts';
import { messages } from '../../messages/messages.ts';
import { grouped } from '../../messages/text.ts';
import { doubtsOf } from '../model/doubts.ts';
import { headerOf, type Report } from '../model/report.ts';
import { choicesHtml, htmlText, idHtml, momentHtml, scrolled, section } from './html-parts.ts';

/** Doubts of one kind that the page names: the JSON has all. */
const NAMED_MAX = 100;

type Kind = { about: DoubtAbout; count: number; first: Doubt[] };

/** Everything that is in doubt, by kind: why, which payouts, and what a person can do, with what each choice risks. */
export function doubtsHtml(report: Report): string {
  const kinds = new Map<DoubtAbout, Kind>();
  for (const doubt of doubtsOf(report.run)) {
    const kind = kinds.get(doubt.about) ?? { about: doubt.about, count: 0, first: [] };
    kinds.set(doubt.about, kind);
    kind.count++;
    if (kind.first.length < NAMED_MAX) kind.first.push(doubt);
  }
  const parts = Array.from(kinds.values(), (kind) => kindHtml(kind, report));
  return section('doubts', messages.doubts.DOUBT_PAGE.heading, parts.join(''));
}

function kindHtml({ about, count, first }: Kind, report: Report): string {
  const { run, command } = report;
  const { DOUBT_KINDS, DOUBT_PAGE, choiceTexts } = messages.doubts;
  const { heading, why, ask } = DOUBT_KINDS[about];
  const [doubt] = first;
  const left = count - first.length;
  const show = command('show', headerOf(run).run_id);
  const choices = doubt === undefined ? '' : choicesHtml(choiceTexts(doubt, command), report);
  const which = DOUBT_PAGE.choices(count, doubt?.row ?? 0);
  return [
    `<div class="card need group"><h3>${htmlText(heading)} <span class="count">${messages.summary.PAGE_TEXTS.payouts(count)}</span></h3>`,
    `<p>${htmlText(why)}</p>`,
    payoutsHtml(heading, first),
    left === 0 ? '' : `<p class="soft">${htmlText(DOUBT_PAGE.more(left, show))}</p>`,
    choices === '' ? '' : `<p class="soft">${htmlText(which)}</p>${choices}`,
    ask === undefined ? '' : `<p>${htmlText(ask)}</p>`,
    '</div>',
  ].join('');
}

function payoutsHtml(heading: string, doubts: readonly Doubt[]): string {
  const { DOUBT_PAGE } = messages.doubts;
  const head = DOUBT_PAGE.columns.map(
    (title, at) => `<th scope="col"${at === 2 ? ' class="number"' : ''}>${title}</th>`,
  );
  const rows = doubts.map((doubt) => {
    const { row, payee, amount, currency, account } = doubt;
    return [
      `<tr><td>${row}</td><th scope="row">${htmlText(payee)}</th>`,
      `<td class="number">${htmlText(`${grouped(amount)} ${currency}`)}</td><td class="account">${htmlText(account)}</td>`,
      `<td>${sentHtml(doubt)}</td><td class="long">${foundHtml(doubt)}</td></tr>`,
    ].join('');
  });
  const inner = `<thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody>`;
  return scrolled('scroll', DOUBT_PAGE.payouts(heading), inner);
}

function sentHtml({ sent_at, token }: Doubt): string {
  if (sent_at === null) return '';
  return `${momentHtml(sent_at)}${token === null ? '' : ` ${idHtml(token)}`}`;
}

function foundHtml(doubt: Doubt): string {
  const { about, candidates, reason } = doubt;
  const { DOUBT_PAGE, lookedText, mismatchText } = messages.doubts;
  const looked = isLookedFor(about) ? [lookedText(doubt)] : [];
  const wrong = about === 'mismatch' ? [mismatchText(reason)] : [];
  const found = candidates.length === 0 ? '' : ` ${DOUBT_PAGE.found} ${idHtml(candidates.join(', '))}`;
  return htmlText([...looked, ...wrong].join(' ')) + found;
}
