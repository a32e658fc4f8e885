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
  if (PLAIN_ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text, cut to `width` columns of the terminal with `…` at its end where it is longer. Letters are never halved. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let left = width - 1;
  for (const { segment } of graphemes.segment(text)) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

/**
 * The text with what could move the cursor, colour the screen or turn the direction of writing made visible or taken
 * out: cells of a stranger's file are shown on the terminal of the person who pays. Line breaks become blanks.
 */
export function printable(text: string): string {
  return PLAIN_ASCII.test(text) ? text : text.replace(/[\t\r\n]+/g, ' ').replace(UNPRINTABLE, '\uFFFD');
}

const PLAIN_ASCII = /^[ -~]*$/;

/** Controls, directions of writing, separators, halves of characters. Joiners of emoji and scripts stay. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Source: Unicode Standard Annex 11, East Asian Width W and F, and the emoji that are shown as pictures (UTS 51). */
function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]*$/u;

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{17000}-\u{18CFF}\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u;
