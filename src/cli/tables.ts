import stringWidth from 'fast-string-width';
import { printable } from '../messages/text.ts';

/** A column of a table for people, or its title alone. The last column is not padded, so lines end where their text ends. */
export type TableColumn =
  | string
  | {
      title: string;
      align?: 'left' | 'right';
      /** Longer texts are cut to so many columns of the terminal. */
      widthMax?: number;
    };

export function right(title: string): TableColumn {
  return { title, align: 'right' };
}

const GAP = '  ';

/**
 * Rows under their titles, in columns as wide as their widest text, without colours. Control characters of a cell are
 * made harmless, and widths are those of a terminal: an ideograph takes two columns, an accent none.
 */
export function textTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const shown = columns.map((column) => (typeof column === 'string' ? { title: column } : column));
  const lines = [shown.map(({ title }) => title), ...rows].map((cells) =>
    shown.map(({ widthMax }, at) => {
      const text = printable(cells[at] ?? '');
      return widthMax === undefined ? text : truncate(text, widthMax);
    }),
  );
  const widths = shown.map((_, at) =>
    lines.reduce((widest, cells) => Math.max(widest, displayWidth(cells[at] ?? '')), 0),
  );
  const lineOf = (cells: readonly string[]) =>
    shown.map(({ align }, at) => padded(cells[at] ?? '', widths[at] ?? 0, align)).join(GAP);
  return lines.map((cells) => `${lineOf(cells).trimEnd()}\n`).join('');
}

function padded(cell: string, width: number, align: 'left' | 'right' = 'left'): string {
  const padding = ' '.repeat(width - displayWidth(cell));
  return align === 'right' ? padding + cell : cell + padding;
}

/** Characters that no terminal shows, beside those of emoji. */
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g;

/** The columns of a terminal that a text takes. Control characters count as none: see `printable`. */
export function displayWidth(text: string): number {
  return stringWidth(text.replace(INVISIBLE, ''));
}

/** The text, cut to `width` columns of the terminal with `…` at its end where it is longer. Letters are never halved. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let left = width - 1;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    left -= displayWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}
