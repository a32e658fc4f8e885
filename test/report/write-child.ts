import { REPORT_FORMATS } from '../../src/report/report-text.ts';
import { writeReports } from '../../src/report/write.ts';
import { completed, exampleRun, payoutRow } from './example-run.ts';

/** Writes a report of 2,000 rows, some 500 KB, and prints `written` or the code of the error. */
const [directory = ''] = process.argv.slice(2);
const rows = Array.from({ length: 2_000 }, (_, at) => payoutRow(at + 2));
const run = exampleRun(
  rows,
  rows.flatMap(({ row }) => completed(row)),
);
try {
  await writeReports({ run, head: { n: 1, hash: '0'.repeat(64) }, directory, formats: REPORT_FORMATS, version: '1' });
  console.log('written');
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error);
}
