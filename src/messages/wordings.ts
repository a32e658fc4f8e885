import type { Audience, CodedWording, Wording } from '../domain/wording.ts';

/** What one coded wording says to one audience. */
type Words = { readonly [C in CodedWording['code']]: (wording: Extract<CodedWording, { code: C }>) => string };

const COMMAND_LINE: Words = {
  save_as_utf8_or_name_encoding: () =>
    'Save it as CSV UTF-8; or say which of them is right with --encoding (in a job `encoding`).',
  choose_sheet: ({ sheets: [first = ''] }) =>
    `Say which one is to be read, for example with --sheet ${JSON.stringify(first)}.`,
  read_each_sheet: () => 'Run the file again with --sheet for each sheet that is to be paid.',
  name_or_map_headers: () =>
    'Put a header above the payouts; where it has words that payrun does not know, say what they mean with --column "HEADER=name" and so on.',
  add_or_map_column: ({ column, synonyms }) =>
    `${addColumn(column, synonyms)}; where another header means it, say so with --column "HEADER=${column}".`,
  merge_or_ignore_column: ({ header }) => `${MERGE_COLUMNS}; or ignore one, as with ${columnOption(header, null)}.`,
  rename_or_map_header: ({ header, column }) =>
    `Rename the header to ${column}, or say ${columnOption(header, column)}; ${columnOption(header, null)} if it is not.`,
  add_or_map_name: ({ shown, header }) =>
    `Add a column name; where ${shown} is the payee, say ${columnOption(header, 'name')}.`,
  mend_or_unmap_header: ({ row, isOfJob }) =>
    `${asInRow(row)}, or ${isOfJob ? 'take it out of the job' : 'leave --column out'}.`,
  ungroup_or_name_decimal: () =>
    'Write it without grouping (1234.00), or name the decimal separator: --decimal . or --decimal ,',
  agree_or_name_decimal: () =>
    'Write every amount in one way, best as 1234.50, or name the decimal separator: --decimal . or --decimal ,',
  fit_or_change_decimal: () => 'Write it in that way, or change --decimal.',
  add_column: ({ column, next }) => addColumnFirst(column, wordsIn(COMMAND_LINE, next)),
  choose_rail: ({ currency, rails }) =>
    `${WRITE_RAIL} In place of that, ${rails.map((rail) => `--default-rail ${currency}=${rail}`).join(' or ')} says it for all rows in ${currency} that name none.`,
  add_substitutions: () => 'Give the table of substitutions too: --modulus-substitutions scsubtab.txt.',
  look_at_runs: () => 'See what `payrun runs` says of it, or name another data directory.',
  see_unresolved: ({ runId }) => `Do not pay it in another way; see what to do with payrun show ${runId}`,
  remove_paid_row: () =>
    'Remove the row, unless the payee is to be paid again. --skip-paid leaves such rows out, and `run` refuses them unless --allow-repeat names the run.',
  remove_paid_rows: ({ runId }) =>
    runId === null
      ? REMOVE_PAID
      : `${REMOVE_PAID} What that run did not pay is planned again by \`payrun retry ${runId}\`.`,
};

/** `columns` and `reading` are what the two forms are called. */
const pageWords = (columns: string, reading: string): Words => ({
  save_as_utf8_or_name_encoding: () => 'Save it as CSV UTF-8.',
  choose_sheet: () => `Choose under ${reading} which one it is.`,
  read_each_sheet: () => 'Upload the file once more for each other sheet that is to be paid.',
  name_or_map_headers: () =>
    `Put a header above the payouts; where it has words that payrun does not know, choose under ${columns} what each of them means.`,
  add_or_map_column: ({ column, synonyms }) =>
    `${addColumn(column, synonyms)}; where another header means it, choose under ${columns} which.`,
  merge_or_ignore_column: () => `${MERGE_COLUMNS}; or ignore one of them under ${columns}.`,
  rename_or_map_header: ({ column }) => `Rename the header to ${column}, or choose under ${columns} what it is.`,
  add_or_map_name: ({ shown }) => `Add a column name; where ${shown} is the payee, choose under ${columns} that it is.`,
  mend_or_unmap_header: ({ row, isOfJob }) =>
    `${asInRow(row)}, or ${isOfJob ? 'take it out of the job' : `reset the mapping under ${columns}`}.`,
  ungroup_or_name_decimal: () =>
    `Write it without grouping (1234.00), or choose under ${reading} which sign divides the decimals.`,
  agree_or_name_decimal: () =>
    `Write every amount in one way, best as 1234.50, or choose under ${reading} which sign divides the decimals.`,
  fit_or_change_decimal: () => `Write it in that way, or choose the other sign under ${reading}.`,
  add_column: ({ column, next }) => addColumnFirst(column, wordsIn(pageWords(columns, reading), next)),
  choose_rail: () => `${WRITE_RAIL} Or choose one for all such rows under ${reading}.`,
  add_substitutions: () => 'Ask your administrator to add the table of substitutions.',
  look_at_runs: () => 'Ask your administrator to look at the journal.',
  see_unresolved: ({ runId }) => `Do not pay it in another way; the page of ${runId} says what to do.`,
  remove_paid_row: () => 'Remove the row, unless the payee is to be paid again.',
  remove_paid_rows: ({ runId }) =>
    runId === null
      ? REMOVE_PAID
      : `${REMOVE_PAID} What that run did not pay is corrected and paid on its own page: follow the link.`,
});

const WORDS: Readonly<Record<Audience, Words>> = {
  command_line: COMMAND_LINE,
  page: pageWords('“Columns”', '“How it is read”'),
  page_copy: pageWords('“Columns” on the page', '“How it is read” on the page'),
};

/** The sentence, as this audience reads it. */
export function wordsFor(audience: Audience, wording: Wording): string {
  return wordsIn(WORDS[audience], wording);
}

function wordsIn(words: Words, wording: Wording): string {
  if (typeof wording === 'string') return wording;
  // The compiler cannot see that the code picks the function of its own parameters.
  return (words[wording.code] as (wording: CodedWording) => string)(wording);
}

/** The problem, as this audience reads it. */
export function worded<P extends { remedy: Wording }>(problem: P, audience: Audience): P & { remedy: string } {
  return { ...problem, remedy: wordsFor(audience, problem.remedy) };
}

/** `--column "Gross to bank=amount"`: for a person to type. `null` ignores the header. */
export function columnOption(header: string, column: string | null): string {
  return `--column "${header.replaceAll(/["\\$`]/g, (sign) => `\\${sign}`)}=${column ?? ''}"`;
}

const MERGE_COLUMNS = 'Put the values into one of the two columns and remove or rename the other';
const REMOVE_PAID = 'Remove what was paid, unless it is to be paid again.';
const WRITE_RAIL = 'Write the one that is meant into the column rail.';

function addColumn(column: string, synonyms: readonly string[]): string {
  return `Add a column with the header ${column}${synonyms.length === 0 ? '' : ` (or ${synonyms.join(', ')})`}`;
}

function addColumnFirst(column: string, next: string): string {
  return `Add a column with the header ${column}. ${next}`;
}

function asInRow(row: number): string {
  return `Write the header as it is in row ${row}`;
}
