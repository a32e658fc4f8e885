import { messages } from '../../messages/messages.ts';
import { viewer } from '../../messages/viewer.ts';
import { HEAD_NAME, headerOf, headLine, type Report } from '../model/report.ts';
import { headlineOf } from '../model/summary.ts';
import type { ReportText } from '../report-text.ts';
import { doubtsHtml } from './html-doubts.ts';
import { htmlText } from './html-parts.ts';
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

/**
 * The run's report as one page that needs nothing else: no script, no address, no font. It says in words what became of
 * the run, then what needs a person, then pictures, figures and rows. Account numbers are masked to their last four.
 */
export function htmlReport(report: Report): ReportText {
  const rows = rowsHtml(report);
  function* start(): Generator<string> {
    yield headHtml(report);
    yield `<body><header>${bandHtml(report)}</header><main class="sheet">\n`;
    for (const part of [introHtml, doubtsHtml, picturesHtml, unpaidHtml, totalsHtml, costsHtml, approvalsHtml])
      yield part(report);
    yield rows.start;
  }
  const end = `${rows.end}${proofHtml(report)}</main></body></html>\n`;
  return { start, row: rows.row, end };
}

function headHtml(report: Report): string {
  const { run } = report;
  const title = `${messages.summary.headlineText(headlineOf(run))} (${headerOf(run).run_id})`;
  return [
    `<!doctype html>\n<html lang="${viewer().language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
    `<meta name="${HEAD_NAME}" content="${htmlText(headLine(report))}">`,
    `<title>${htmlText(title)}</title><style>${STYLE}</style></head>\n`,
  ].join('');
}
