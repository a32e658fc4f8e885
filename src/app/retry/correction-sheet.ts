import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { CORRECTS } from '../../input/corrections/correction-sheet.ts';
import { COMMENTS_WRITTEN } from '../../input/corrections/problem-marks.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import type { NewCell, NewSheet } from '../../platform/xlsx/workbook-writer.ts';
import { rowMasker } from '../../report/model/identifiers.ts';
import { outcomeOf } from '../../report/model/outcome.ts';
import type { Retriable } from './retriable.ts';

/** Widths of the columns, in characters, by the first rows. */
const WIDTH_LEAST = 8;
const WIDTH_MOST = 40;
const MARGIN = 2;
const ROWS_MEASURED = 1_000;

/**
 * A workbook of the rows that can be retried, to be corrected there: the columns of the input, with whole account numbers,
 * and at the first cell of each row why it was not paid. Amounts are written so that they can be read in one way only.
 */
export async function correctionSheet({ run, retryable }: Retriable, command: CommandLine): Promise<Uint8Array> {
  const { writeWorkbook } = await import('../../platform/xlsx/workbook-writer.ts');
  return writeWorkbook([sheetOf(run, retryable.rows, command)], { [CORRECTS]: run.header?.run_id ?? '' });
}

function sheetOf(run: RunState, rows: readonly RunRow[], command: CommandLine): NewSheet {
  assert(run.header !== null, 'a run without its header');
  const { header, columns } = run.header.input;
  const texts = rows.map((row) => textsOf(row, columns));
  const measured = [header, ...texts.slice(0, ROWS_MEASURED)];
  return {
    name: 'Payouts',
    columns: header.map((_, at) => ({
      width: Math.min(Math.max(...measured.map((cells) => (cells[at] ?? '').length + MARGIN), WIDTH_LEAST), WIDTH_MOST),
      isText: columns[at] !== 'amount',
    })),
    rows: [header.map((text): NewCell => ({ text, look: 'header' })), ...notedRows(run, rows, texts, command)],
    frozenRows: 1,
  };
}

/** The cells of a row as they were, with the amount in plain figures: `1234.50`. */
function textsOf({ cells, order }: RunRow, columns: readonly (string | null)[]): string[] {
  return columns.map((column, at) =>
    column === 'amount' && order !== null
      ? formatMajor(BigInt(order.amount_minor), order.currency.decimals)
      : (cells[at] ?? ''),
  );
}

function* notedRows(run: RunState, rows: readonly RunRow[], texts: readonly string[][], command: CommandLine) {
  assert(run.header !== null, 'a run without its header');
  const resume = command('resume', run.header.run_id);
  const maskRow = rowMasker(run.header.input);
  for (const [at, row] of rows.entries()) {
    const payout = run.payouts.get(row.row);
    assert(payout, `row ${row.row} has no payout`);
    const { code, why } = outcomeOf(payout, { isCancelled: run.cancelled, mayHaveCopy: false });
    const message = why === null ? '' : messages.outcomes.outcomeText(why, resume);
    const note = `${code ?? payout.state}: ${maskRow(row).hide(message)}`;
    const isNoted = at < COMMENTS_WRITTEN;
    yield (texts[at] ?? []).map((text, column): NewCell => ({ text, ...(isNoted && column === 0 && { note }) }));
  }
}
