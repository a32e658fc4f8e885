import { momentText } from '../../domain/time.ts';
import { localMoment } from '../../messages/local-time.ts';
import { messages } from '../../messages/messages.ts';
import { grouped } from '../../messages/text.ts';
import { viewer } from '../../messages/viewer.ts';
import { isForPage, type Report } from '../model/report.ts';
import { type Cell, type Fact, isFigure, type Table } from '../model/summary.ts';

/**
 * The text as it stands in HTML, between tags and in quoted attributes. Controls and marks that turn the direction of
 * writing become visible: a stranger's file could otherwise show another account or amount than it holds.
 */
export function htmlText(text: string): string {
  return PLAIN.test(text)
    ? text
    : text.replace(UNPRINTABLE, '\uFFFD').replace(SPECIAL, (found) => ENTITIES[found] ?? '');
}

const PLAIN = /^[ !#$%(-;=?-~•]*$/;

/** Line breaks and tabs stay: they are blanks in HTML. */
const UNPRINTABLE = /[\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|(?![\t\r\n])\p{Cc}/gu;

const SPECIAL = /[&<>"']/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A moment of ISO 8601, to the second, as people compare it with their clock: by that of UTC, or by the reader's. */
export function momentHtml(iso: string): string {
  return timeHtml(iso, localMoment(Date.parse(iso)));
}

/** The same in these words. */
export function timeHtml(iso: string, words: string): string {
  const title = viewer().timeZone === 'UTC' ? '' : ` title="${momentText(iso)}"`;
  return `<time datetime="${iso}"${title}>${htmlText(words)}</time>`;
}

/** An id of the service or of the journal, broken where the line ends. */
export function idHtml(id: string): string {
  return `<span class="id">${htmlText(id)}</span>`;
}

/** A whole command, to be copied, or what the page has in its place. Options are not broken at their hyphens. */
export function commandHtml(command: string, report: Report): string {
  if (isForPage(report)) return `<p><strong>${htmlText(command)}</strong></p>`;
  const words = command.split(' ').map((word) => {
    const text = htmlText(word);
    return word.startsWith('-') ? `<span class="flag">${text}</span>` : text;
  });
  return `<code class="command">${words.join(' ')}</code>`;
}

/** Commands, each with what it does; `risk` where it has one. */
export function choicesHtml(
  choices: readonly { command: string; does: string; risk?: string }[],
  report: Report,
): string {
  const items = choices.map(({ command, does, risk }) => {
    const strong = risk === undefined ? '' : ` <strong>${htmlText(risk)}</strong>`;
    return `<li>${commandHtml(command, report)}<p>${htmlText(does)}${strong}</p></li>`;
  });
  return items.length === 0 ? '' : `<ul class="choices">${items.join('')}</ul>`;
}

/** `1,250.50 USDC`, and the chain under it where there is one. `currency` is a label such as `USDC on polygon`. */
export function amountHtml(amount: string, currency: string): string {
  const [code = '', chain] = currency.split(' on ');
  const under =
    chain === undefined ? '' : ` <span class="soft">${htmlText(messages.summary.CELL_TEXTS.on_chain(chain))}</span>`;
  return `${htmlText(`${grouped(amount)} ${code}`)}${under}`;
}

/** A cell of a summary. */
function cellHtml(cell: Cell): string {
  if ('id' in cell) return idHtml(cell.id);
  if ('moment' in cell) return momentHtml(cell.moment);
  if ('count' in cell) return grouped(String(cell.count));
  return 'amount' in cell ? grouped(cell.amount) : htmlText(cell.text);
}

/** A table whose first cell of each row is its header; nothing where there are no rows. `more`: rows of HTML at its end. */
export function tableHtml({ table, columns, rows }: Table, more: readonly (readonly string[])[] = []): string {
  const [sample = []] = rows;
  if (rows.length === 0) return '';
  const classAt = (at: number) => {
    if (rows.some((cells) => isFigure(cells[at]))) return ' class="number"';
    return 'id' in (sample[at] ?? {}) ? ' class="long"' : '';
  };
  const titles = columns.map((column) => messages.summary.COLUMN_TITLES[column]);
  const head = titles.map((title, at) => `<th scope="col"${classAt(at)}>${htmlText(title)}</th>`).join('');
  const body = [...rows.map((cells) => cells.map(cellHtml)), ...more].map(([first = '', ...others]) => {
    const cells = others.map((cell, at) => `<td${classAt(at + 1)}>${cell}</td>`);
    return `<tr><th scope="row">${first}</th>${cells.join('')}</tr>`;
  });
  const { caption } = messages.summary.TABLES[table];
  return scrolled('card table scroll', caption, `<thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody>`);
}

/** A table that is wider than a narrow screen. */
export function scrolled(className: string, caption: string, inner: string): string {
  const label = htmlText(caption);
  return `<div class="${className}" role="region" tabindex="0" aria-label="${label}"><table><caption class="hidden">${label}</caption>${inner}</table></div>`;
}

/** Terms and what they are. */
export function factsHtml(facts: readonly Fact[]): string {
  const items = facts.map(([term, cell]) => {
    return `<div><dt>${htmlText(messages.summary.FACT_TERMS[term])}</dt><dd>${cellHtml(cell)}</dd></div>`;
  });
  return `<dl class="facts">${items.join('')}</dl>`;
}

/** Nothing where there is nothing in it. */
export function section(id: string, title: string, inner: string): string {
  return inner === ''
    ? ''
    : `<section aria-labelledby="${id}"><h2 id="${id}">${htmlText(title)}</h2>${inner}</section>`;
}
