import stringWidth from 'string-width';
import { printable } from '../messages/text.ts';
/** A column of a table for people. The last column is not padded, so lines end where their text ends. */
export type TableColumn = {
  title: string;
  align?: 'left' | 'right';
  /** Longer texts are cut to so many columns of the terminal. */
  widthMax?: number;
};

const GAP = '  ';

/**
 * Rows under their titles, in columns as wide as their widest text, without colours. Control characters of a cell are
 * made harmless, and widths are those of a terminal: an ideograph takes two columns, an accent none.
 */
export function textTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows].map((cells) =>
    columns.map(({ widthMax }, at) => {
      const text = printable(cells[at] ?? '');
      return widthMax === undefined ? text : truncate(text, widthMax);
    }),
  );
  const widths = columns.map((_, at) =>
    lines.reduce((widest, cells) => Math.max(widest, displayWidth(cells[at] ?? '')), 0),
  );
  return lines.map((cells) => `${tableLine(columns, cells, widths)}\n`).join('');
}

function tableLine(columns: readonly TableColumn[], cells: readonly string[], widths: readonly number[]): string {
  const padded = columns.map(({ align }, at) => {
    const cell = cells[at] ?? '';
    const padding = ' '.repeat((widths[at] ?? 0) - displayWidth(cell));
    return align === 'right' ? padding + cell : cell + padding;
  });
  return padded.join(GAP).trimEnd();
}

/** The columns of a terminal that a text takes. Control characters count as none: see `printable`. */
export function displayWidth(text: string): number {
  return stringWidth(text, { countAnsiEscapeCodes: true });
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
