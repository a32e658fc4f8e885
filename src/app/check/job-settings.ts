import type { ReadResult } from '../../input/read-result.ts';

/**
 * What a job has for a file: what headers mean (`false` ignores one), the currency of rows that name none, and the encoding of
 * a text that does not show it.
 */
export type JobSettings = {
  columns: Record<string, string | false>;
  currency?: string | undefined;
  encoding?: string | undefined;
};

/** What people gave for the headers of a file, for a job to have it; null where they gave nothing, or left something open. */
export function jobSettingsOf({
  mapping,
  givenCurrency,
  givenEncoding,
  isHeaderClear,
}: Pick<ReadResult, 'mapping' | 'givenCurrency' | 'givenEncoding' | 'isHeaderClear'>): JobSettings | null {
  const currency = givenCurrency === null || givenCurrency.source === 'file' ? null : givenCurrency;
  const given = [...mapping, currency, givenEncoding].filter((one) => one !== null);
  const isNews = given.some(({ source }) => source !== 'job');
  if (!isHeaderClear || !isNews) return null;
  const columns = Object.fromEntries(mapping.map(({ header, column }) => [header, column ?? (false as const)]));
  return {
    columns,
    ...(currency !== null && { currency: currency.code }),
    ...(givenEncoding !== null && { encoding: givenEncoding.encoding }),
  };
}

/** The same as lines of a job file. */
export function jobLines({ columns, currency, encoding }: JobSettings): string {
  const meanings = Object.entries(columns).map(([header, column]) => `  ${JSON.stringify(header)}: ${column}\n`);
  const mapping = meanings.length === 0 ? '' : `columns:\n${meanings.join('')}`;
  const line = (key: string, value: string | undefined) => (value === undefined ? '' : `${key}: ${value}\n`);
  return `${mapping}${line('currency', currency)}${line('encoding', encoding)}`;
}
