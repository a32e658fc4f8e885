import { onFirstUse } from '../domain/lazy/on-first-use.ts';
import { groupThousands } from '../domain/money.ts';
import { englishNumber, Plural, plural, t } from './translate.ts';
import { type Language, viewer } from './viewer.ts';

/** `1 payout`, `1,200 payouts`. */
export function counted(count: number, word: string): Plural {
  return new Plural(count, `# ${word}`, `# ${word}s`);
}

/** `1,200`, as the viewer writes it. */
export function number(count: number): string {
  const { language } = viewer();
  return language === 'en' ? englishNumber(count) : count.toLocaleString(language);
}

/** A plain decimal as the viewer writes it: `1,234.50`, `1.234,50`. */
export function grouped(plain: string): string {
  const { language } = viewer();
  if (language === 'en') return groupThousands(plain);
  const [point, comma] = separatorsOf(language);
  return groupThousands(plain).replace(/[.,]/g, (found) => (found === '.' ? point : comma));
}

/** What stands before decimals and between thousands. */
export function separatorsOf(language: Language): [point: string, comma: string] {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const of = (kind: string) => parts.find(({ type }) => type === kind)?.value ?? '';
  return [of('decimal'), of('group')];
}

/** `A`, `A or B`, `A, B or C`. */
export function anyOf(texts: readonly string[]): string {
  return formatOf('disjunction').format(texts);
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(texts: readonly string[]): string {
  return formatOf('conjunction').format(texts);
}

function formatOf(type: 'conjunction' | 'disjunction'): Intl.ListFormat {
  const { language } = viewer();
  return language === 'en' ? ENGLISH[type]() : new Intl.ListFormat(language, { type });
}

// British English, which puts no comma before "and" and "or".
const ENGLISH = {
  conjunction: onFirstUse(() => new Intl.ListFormat('en-GB')),
  disjunction: onFirstUse(() => new Intl.ListFormat('en-GB', { type: 'disjunction' })),
};

/** Rows that are named in one sentence. */
const ROWS_NAMED_MAX = 50;

/** `3, 5 and 2 more`. */
export function rowsText(rows: readonly number[]): string {
  const named = rows.slice(0, ROWS_NAMED_MAX).join(', ');
  return rows.length > ROWS_NAMED_MAX ? t`${named} and ${rows.length - ROWS_NAMED_MAX} more` : named;
}

/** A clause or a sentence, with one full stop at its end, unless it asks or calls. */
export function asSentence(text: string): string {
  const last = text.at(-1);
  return last === '?' || last === '!' ? text : `${withoutStop(text)}.`;
}

/** With a capital letter at its begin. */
export function capital(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** The same without any. */
export function withoutStop(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.' || text[end - 1] === ' ' || text[end - 1] === '\n') end--;
  return text.slice(0, end);
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

/** `38 completed, 2 not submitted`, of the counts that are not 0; `none` where all are. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([status, count]) => statusCount(status, count)).join(', ') || t`none`;
}

function statusCount(status: string, count: number): string {
  const words = viewer().language === 'en' ? undefined : STATUS_COUNTS[status];
  return String(words?.(count) ?? `${count} ${status.replace('_', ' ')}`);
}

/** By a status: `2 not submitted`. */
export const STATUS_COUNTS: Readonly<Record<string, (count: number) => Plural>> = {
  completed: (count) => plural(count, '# completed', '# completed'),
  failed: (count) => plural(count, '# failed', '# failed'),
  rejected: (count) => plural(count, '# rejected', '# rejected'),
  unresolved: (count) => plural(count, '# unresolved', '# unresolved'),
  not_submitted: (count) => plural(count, '# not submitted', '# not submitted'),
};

/** A text as it is searched: without regard to case, accents and width. */
export function searchable(text: string): string {
  // Most texts have no accents, and normalising takes ten times as long.
  if (!/[^ -~\n]/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Wide enough for a sentence, narrow enough for a terminal beside a spreadsheet. Commands are never broken. */
const LINE_WIDTH = 100;

/** The text in lines that fit after so many columns. What it is indented by, all its lines are. */
export function wrapped(text: string, columns: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(' ')) {
    const isFirst = line === indent;
    if (!isFirst && columns + line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = indent + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** How long ago something was, to its largest unit: `5 days ago`, `1 hour ago`, `less than a minute ago`. */
export function agoText(ms: number): string {
  const [days, hours, minutes] = [86_400_000, 3_600_000, 60_000].map((unit) => Math.floor(ms / unit));
  if (days) return String(plural(days, '# day ago', '# days ago'));
  if (hours) return String(plural(hours, '# hour ago', '# hours ago'));
  return minutes ? String(plural(minutes, '# minute ago', '# minutes ago')) : t`less than a minute ago`;
}

/** A text of several lines in one. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
