import type { ReadResult } from '../../input/read-result.ts';

/** What a job has for a file: what headers mean (`false` ignores one), and the currency of rows that name none. */
export type JobSettings = { columns: Record<string, string | false>; currency?: string | undefined };

/** What people gave for the headers of a file, for a job to have it; null where they gave nothing, or left something open. */
export function jobSettingsOf({
  mapping,
  givenCurrency,
  isHeaderClear,
}: Pick<ReadResult, 'mapping' | 'givenCurrency' | 'isHeaderClear'>): JobSettings | null {
  const currency = givenCurrency === null || givenCurrency.source === 'file' ? null : givenCurrency;
  const isNews = [...mapping, ...(currency === null ? [] : [currency])].some(({ source }) => source !== 'job');
  if (!isHeaderClear || !isNews) return null;
  const columns = Object.fromEntries(mapping.map(({ header, column }) => [header, column ?? (false as const)]));
  return { columns, ...(currency !== null && { currency: currency.code }) };
}

/** The same as lines of a job file. */
export function jobLines({ columns, currency }: JobSettings): string {
  const meanings = Object.entries(columns).map(([header, column]) => `  ${JSON.stringify(header)}: ${column}\n`);
  const mapping = meanings.length === 0 ? '' : `columns:\n${meanings.join('')}`;
  return `${mapping}${currency === undefined ? '' : `currency: ${currency}\n`}`;
}
