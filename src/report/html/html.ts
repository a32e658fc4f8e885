import type { RunState } from '../../domain/run/run-state.ts';
import type { CommandLine } from '../command-line.ts';
import type { JsonFacts } from '../json.ts';
import { headlineOf } from '../model/summary-words.ts';
import type { ReportText } from '../report-text.ts';
import { doubtsHtml } from './html-doubts.ts';
import { rowsHtml } from './html-rows.ts';
import {
  approvalsHtml,
  bandHtml,
  costsHtml,
  introHtml,
  picturesHtml,
  proofHtml,
  totalsHtml,
  unpaidHtml,
} from './html-sections.ts';
import { POLICY, STYLE } from './html-style.ts';
import { htmlText } from './html-text.ts';

/**
 * The run's report as one page that needs nothing else: no script, no address, no font. It says in words what became of
 * the run, then what needs a person, then pictures, figures and rows. Account numbers are masked to their last four.
 */
export function htmlReport(run: RunState, facts: JsonFacts, command: CommandLine): ReportText {
  const rows = rowsHtml(run);
  function* start(): Generator<string> {
    yield headHtml(run);
    yield `<body><header>${bandHtml(run)}</header><main class="sheet">\n`;
    yield introHtml(run, facts, command);
    yield doubtsHtml(run, command);
    yield picturesHtml(run);
    yield unpaidHtml(run, facts, command);
    yield totalsHtml(run);
    yield costsHtml(run);
    yield approvalsHtml(run, facts);
    yield rows.start;
  }
  const end = `${rows.end}${proofHtml(run, facts, command)}</main></body></html>\n`;
  return { start, row: rows.row, end };
}

function headHtml(run: RunState): string {
  const title = `${headlineOf(run)} (${run.header?.run_id ?? ''})`;
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
    `<title>${htmlText(title)}</title><style>${STYLE}</style></head>\n`,
  ].join('');
}
