import { XmlDocument, XmlElement } from 'libxml2-wasm';
import type { RunState } from '../../../src/domain/run/run-state.ts';
import { NOTHING_SINCE } from '../../../src/domain/run/since.ts';
import { plainCommand } from '../../../src/messages/command-line.ts';
import { camt054Text } from '../../../src/report/iso20022/camt054.ts';
import { pain002Text } from '../../../src/report/iso20022/pain002.ts';
import type { Report } from '../../../src/report/model/report.ts';
import { reportRows } from '../../../src/report/model/rows.ts';
import { sumsOf } from '../../../src/report/model/totals.ts';
import type { ReportText } from '../../../src/report/report-text.ts';

/** A bank file of the run, as it is written. */
export function bankFile(kind: 'pain002' | 'camt054', run: RunState): string {
  const report: Report = {
    run,
    head: { n: 21, hash: 'ab'.repeat(32) },
    version: '1.2.3',
    sums: () => sumsOf(run),
    retriedBy: [],
    since: NOTHING_SINCE,
    approvals: [],
    command: plainCommand,
  };
  const text: ReportText = kind === 'pain002' ? pain002Text(report) : camt054Text(report);
  let file = '';
  for (const piece of text.start()) file += piece;
  for (const row of reportRows(run)) file += text.row(row);
  return file + text.end;
}

export const bankFiles = (run: RunState): string[] => [bankFile('pain002', run), bankFile('camt054', run)];

/** An element with what is in it: its text where it has no children. `@Ccy` is written behind the text: `1.00 AUD`. */
export type Read = { [name: string]: (Read | string)[] };

/** What stands at the elements of this name, in their order. */
export function elementsOf(xml: string, name: string): Read[] {
  using document = XmlDocument.fromString(xml);
  return document.find(`//*[local-name()='${name}']`).map((node) => read(node as XmlElement) as Read);
}

function read(element: XmlElement): Read | string {
  const found: Read = {};
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (!(child instanceof XmlElement)) continue;
    found[child.name] ??= [];
    found[child.name]?.push(read(child));
  }
  if (Object.keys(found).length > 0) return found;
  const currency = element.attr('Ccy')?.content;
  return currency === undefined ? element.content : `${element.content} ${currency}`;
}

/** The texts at a path below an element: `Refs/EndToEndId`. */
export function textsAt(element: Read | undefined, path: string): string[] {
  let found: (Read | string)[] = element === undefined ? [] : [element];
  for (const name of path.split('/'))
    found = found.flatMap((one) => (typeof one === 'string' ? [] : (one[name] ?? [])));
  return found.filter((one) => typeof one === 'string');
}
