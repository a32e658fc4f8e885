import { groupThousands } from '../../domain/money.ts';
import { momentText } from '../../domain/time.ts';
import { type Cell, type Fact, isFigure, type Table } from '../model/summary.ts';
import { htmlText } from './html-text.ts';

/** A moment of ISO 8601 in UTC, to the second, as people compare it with their clock. */
export function momentHtml(iso: string): string {
  return `<time datetime="${iso}">${momentText(iso)}</time>`;
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

/** A cell of a summary. */
export function cellHtml(cell: Cell): string {
  if ('id' in cell) return `<span class="id">${htmlText(cell.id)}</span>`;
  if ('moment' in cell) return momentHtml(cell.moment);
  if ('count' in cell) return groupThousands(String(cell.count));
  return 'amount' in cell ? groupThousands(cell.amount) : htmlText(cell.text);
}

/** A table whose first cell of each row is its header; nothing where there are no rows. `more`: rows of HTML at its end. */
export function tableHtml({ caption, columns, rows }: Table, more: readonly (readonly string[])[] = []): string {
  const [sample = []] = rows;
  if (rows.length === 0) return '';
  const classAt = (at: number) => {
    if (rows.some((cells) => isFigure(cells[at]))) return ' class="number"';
    return 'id' in (sample[at] ?? {}) ? ' class="long"' : '';
  };
  const head = columns.map((title, at) => `<th scope="col"${classAt(at)}>${htmlText(title)}</th>`).join('');
  const body = [...rows.map((cells) => cells.map(cellHtml)), ...more].map(([first = '', ...others]) => {
    const cells = others.map((cell, at) => `<td${classAt(at + 1)}>${cell}</td>`);
    return `<tr><th scope="row">${first}</th>${cells.join('')}</tr>`;
  });
  return `<div class="card table scroll" role="region" tabindex="0" aria-label="${htmlText(caption)}"><table><caption class="hidden">${htmlText(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

/** Terms and what they are. */
export function factsHtml(facts: readonly Fact[]): string {
  const items = facts.map(([term, cell]) => `<div><dt>${htmlText(term)}</dt><dd>${cellHtml(cell)}</dd></div>`);
  return `<dl class="facts">${items.join('')}</dl>`;
}
