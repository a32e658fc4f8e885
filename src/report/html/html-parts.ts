import { groupThousands } from '../../domain/money.ts';
import { htmlText } from './html-text.ts';

/** A moment of ISO 8601 in UTC, to the second, as people compare it with their clock. */
export function momentHtml(iso: string): string {
  return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** A whole command, to be copied, or what the page has in its place. Options are not broken at their hyphens. */
export function commandHtml(command: string): string {
  if (command.startsWith('“')) return `<p><strong>${htmlText(command)}</strong></p>`;
  const words = command.split(' ').map((word) => {
    const text = htmlText(word);
    return word.startsWith('-') ? `<span class="flag">${text}</span>` : text;
  });
  return `<code class="command">${words.join(' ')}</code>`;
}

/** `1,250.50 USDC`, and the chain under it where there is one. `currency` is a label such as `USDC on polygon`. */
export function amountHtml(amount: string, currency: string): string {
  const [code = '', chain] = currency.split(' on ');
  const under = chain === undefined ? '' : ` <span class="soft">on ${htmlText(chain)}</span>`;
  return `${htmlText(`${groupThousands(amount)} ${code}`)}${under}`;
}

/** A column of a table. */
export type Column = { title: string; className?: 'number' | 'long' };

/** A table whose first cell of each row is its header. The cells are HTML. */
export function tableHtml(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  className = '',
): string {
  const classAt = (at: number) => (columns[at]?.className ? ` class="${columns[at].className}"` : '');
  const head = columns.map(({ title }, at) => `<th scope="col"${classAt(at)}>${htmlText(title)}</th>`).join('');
  const body = rows.map((cells) => {
    const [first = '', ...others] = cells;
    return `<tr><th scope="row">${first}</th>${others.map((cell, at) => `<td${classAt(at + 1)}>${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="card table scroll" role="region" tabindex="0" aria-label="${htmlText(caption)}"><table${className === '' ? '' : ` class="${className}"`}><caption class="hidden">${htmlText(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

/** Terms and what they are; without those that are null. The terms are text, the rest HTML. */
export function factsHtml(facts: readonly (readonly [term: string, html: string | null])[]): string {
  const items = facts.flatMap(([term, html]) =>
    html === null ? [] : [`<div><dt>${htmlText(term)}</dt><dd>${html}</dd></div>`],
  );
  return `<dl class="facts">${items.join('')}</dl>`;
}
