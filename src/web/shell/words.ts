import type { Counts } from '../../domain/entry.ts';
import { groupThousands } from '../../domain/money.ts';
import { counted, listed } from '../../messages/text.ts';
import type { CommandLine } from '../../report/command-line.ts';

/** `46,479.35 AUD`. */
export function amountText(amount: string, currency: string): string {
  return `${groupThousands(amount)} ${currency}`;
}

/** A text as it is searched: without regard to case, accents and width. */
export function searchable(text: string): string {
  // Most texts have no accents, and normalising takes ten times as long.
  if (!/[^ -~\n]/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** `3.4 MB`, `812 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, 'byte');
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KB'] : [bytes / 1_048_576, 'MB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** `45 payouts of 46,479.35 AUD`, `45 payouts in 7 currencies`. */
export function payoutsText(count: number, sums: readonly string[]): string {
  const of = sums.length > 2 ? ` in ${sums.length} currencies` : sums.length === 0 ? '' : ` of ${listed(sums)}`;
  return `${counted(count, 'payout')}${of}`;
}

/** `38 completed, 2 failed`. */
export function countWords(counts: Counts): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const words = parts.map(([status, count]) => `${groupThousands(String(count))} ${status.replace('_', ' ')}`);
  return words.length === 0 ? 'none' : words.join(', ');
}

/** Where the command line is told a command, the page names the button that does the same. */
export const pageCommand: CommandLine = (word) => BUTTONS[word ?? ''] ?? '';

const BUTTONS: Readonly<Record<string, string>> = {
  resume: '“Go on”',
  retry: '“Plan again as they are”',
};
