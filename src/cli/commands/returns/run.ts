import { z } from 'zod';
import { newReturns, type ReturnedPayout } from '../../../app/returns/returns.ts';
import { serviceDeps } from '../../../compose/run-deps.ts';
import { currencyLabel } from '../../../domain/currencies.ts';
import { text } from '../../../domain/entries/members.ts';
import { formatForPeople, formatMajor } from '../../../domain/money.ts';
import { rowNumber, runId, time } from '../../../domain/result.ts';
import { isoUtc } from '../../../domain/time.ts';
import { counted } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { withLoggedJournal } from '../../here.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';

const returnedPayout = z.strictObject({
  run_id: runId,
  row: rowNumber,
  transaction_id: text,
  return_id: text.describe('The deposit by which the service shows the return.'),
  amount: text,
  currency: text,
  returned_at: time.nullable(),
});
export const output = z
  .strictObject({ returned: z.array(returnedPayout), exit: exitCode })
  .meta({ description: 'The completed payouts that came back and were not recorded yet.' });
type Output = z.output<typeof output>;

/** `payrun returns`: exits with 5 where payouts came back that were not recorded yet. */
export async function run(given: Given): Promise<void> {
  await withLoggedJournal(given, async (here) => {
    const found = await newReturns(serviceDeps(here));
    const exit = found.length === 0 ? EXIT.ok : EXIT.person_needed;
    return print<Output>(here, { returned: found.map(outputOf), exit }, () => returnsText(found));
  });
}

function outputOf({ runId: run_id, row, transactionId, returnId, minor, currency, at }: ReturnedPayout) {
  const ids = { transaction_id: transactionId, return_id: returnId };
  const amount = { amount: formatMajor(minor, currency.decimals), currency: currencyLabel(currency) };
  return { run_id, row, ...ids, ...amount, returned_at: at === null ? null : isoUtc(at) };
}

function returnsText(found: readonly ReturnedPayout[]): string {
  if (found.length === 0) return 'No payout has come back since the last look.\n';
  const lines = found.map(({ runId: id, row, returnId, minor, currency }) => {
    return `  ${id} row ${row}: ${formatForPeople({ minor, currency })} came back as ${returnId}`;
  });
  return `${counted(found.length, 'completed payout')} came back:\n${lines.join('\n')}\n`;
}
