import { TimeSlice } from '../../app/background/time-slice.ts';
import { t } from '../../messages/translate.ts';
import { ANYBODY, asViewer } from '../../messages/viewer.ts';
import { type FileColumn, tableCsv, tableXlsx } from '../../report/table-file.ts';
import { sendFile, XLSX } from '../send-file.ts';
import { signedIn, type WebContext } from '../web.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { pathWith } from './parts.ts';

/** A table to download. `name`: file name without extension; `title`: sheet name. */
export type TakenTable<Row> = {
  name: string;
  title: string;
  columns: readonly FileColumn<Row>[];
  rows: readonly Row[];
};

/** The two kinds of files, as addresses end. */
export const FILE_KINDS = ['csv', 'xlsx'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Sends a table as CSV or as a workbook, and notes who took it. Others have their turn while it is made. */
export async function sendTable<Row>(
  context: WebContext,
  { name, title, columns, rows }: TakenTable<Row>,
  kind: FileKind,
): Promise<Response> {
  const { web, person } = signedIn(context);
  const details = { table: name, format: kind, rows: rows.length };
  await web.audit.append({ person: person.id, act: 'table_taken', details });
  // For programs: in English and UTC.
  const csv = () => asViewer(ANYBODY, () => Buffer.from(tableCsv(columns, rows)));
  if (kind === 'csv') return sendFile(context, csv(), `${name}.csv`, 'text/csv');
  const turns = new TimeSlice(web.deps.clock);
  const pause = async () => {
    if (turns.isOver) await turns.next();
  };
  return sendFile(context, await tableXlsx(title, columns, rows, pause), `${name}.xlsx`, XLSX);
}

/** Links to both files of a table, labelled `what`. `path` has no extension; `asked`: the active filters. */
export function fileLinks(path: string, asked: Record<string, string | null>, what = t`Export`): Html {
  const holds = { csv: t`For programs: in English, times in UTC`, xlsx: t`For people: in your language and time zone` };
  const links = FILE_KINDS.map((kind) => {
    const to = pathWith(`${path}.${kind}`, asked);
    return html`<li><a href="${to}" download>${kind.toUpperCase()}<span class="soft small">${holds[kind]}</span></a></li>`;
  });
  return html`<details class="drop-menu"><summary class="button">${icon('download')}${what}</summary><ul>${links}</ul></details>`;
}
