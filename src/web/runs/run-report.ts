import { existsSync } from 'node:fs';
import { Hono } from 'hono';
import { t, textTable } from '../../messages/translate.ts';
import { ANYBODY, asViewer, viewer } from '../../messages/viewer.ts';
import { BANK_FORMATS, REPORT_FORMATS, type ReportFormat, reportFileName } from '../../report/report-text.ts';
import { Recent, UnderWay } from '../once.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { sendFile, XLSX } from '../send-file.ts';
import { type Html, html } from '../shell/html.ts';
import { errorPage } from '../shell/layout.ts';
import { noteAsked, reportsFolder } from '../uploads/retention.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import type { FollowedRun } from './followed-run.ts';
import { onRun } from './found-run.ts';

/** What people can take of a payment, what the link says, and what it holds. */
export const reportLinks = () =>
  [
    ['html', t`View report`, t`Totals, charts and what to do about each failure, on one page, in your language`],
    ['xlsx', t`Excel`, t`Every row with its outcome, in your language`],
    ['csv', 'CSV', t`The same for other programs, in English and UTC`],
    ['json', 'JSON', t`Everything about the payment, for programs, in English and UTC`],
    ['pain002', 'pain.002', t`Status of each payout, as banks report it (ISO 20022)`],
    ['camt054', 'camt.054', t`Debits of completed payouts, for bookkeeping (ISO 20022)`],
  ] as const satisfies readonly (readonly [ReportFormat, words: string, holds: string])[];

export function reportLink(runId: string, format: ReportFormat, words: string, className = ''): Html {
  return html`<a${className && html` class="${className}"`} href="/runs/${runId}/${reportFileName(format)}" download>${words}</a>`;
}

const TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: XLSX,
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  pain002: 'application/xml',
  camt054: 'application/xml',
};

/** In the language and the time zone of who takes them. Programs read the others, which are in English and UTC. */
const FOR_PEOPLE: ReadonlySet<ReportFormat> = new Set<ReportFormat>(['html', 'xlsx']);

/** Reports that are known to have all that has happened. */
const KEPT_MAX = 1_000;

const NOT_WRITTEN = textTable({
  message: 'The report could not be written.',
  remedy: 'Try again. See the log file in the data directory.',
});

/** The reports that this page has written, and those that it is writing. */
type Reports = { writing: UnderWay<string | null>; kept: Recent<{ version: string; path: string }> };

const REPORTS = new WeakMap<Web['deps'], Reports>();

/** The report of a run, as a file, in the words of the page. */
export function runReportRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  for (const format of [...REPORT_FORMATS, ...BANK_FORMATS])
    app.get(
      `/runs/:run/${reportFileName(format)}`,
      requireRole(...SEEING),
      onRun(async (context, { followed }) => {
        const { person } = signedIn(context);
        const answer = await sendReport(context, followed, format, { person: person.id });
        return answer ?? errorPage(context, { status: 503, ...NOT_WRITTEN });
      }),
    );
  return app;
}

/** The file, and that somebody took it (`by`, for the audit log); null where it could not be written. */
export async function sendReport(
  context: WebContext,
  followed: FollowedRun,
  format: ReportFormat,
  { person, ...via }: { person: string; token?: string },
): Promise<Response | null> {
  const { web } = context.var;
  const { runId } = followed;
  const path = await reportPath(web, followed, format);
  if (path === null) return null;
  noteAsked(web, path);
  await web.audit.append({ person, act: 'report_taken', runId, details: { format, ...via } });
  return sendFile(context, path, `${runId}-${reportFileName(format)}`, TYPES[format]);
}

/** Where the report is: the one that was written before where nothing happened since; null where it could not be written. */
async function reportPath(web: Web, followed: FollowedRun, format: ReportFormat): Promise<string | null> {
  const known = REPORTS.get(web.deps) ?? { writing: new UnderWay(), kept: new Recent(KEPT_MAX) };
  REPORTS.set(web.deps, known);
  const { writing, kept } = known;
  const reader = FOR_PEOPLE.has(format) ? viewer() : ANYBODY;
  const key = `${followed.runId}.${format} ${reader.language} ${reader.timeZone}`;
  // Before it is written: what happens meanwhile may be in it, but this is for certain.
  const version = await versionOf(web, followed);
  const last = kept.get(key);
  if (version !== null && last?.version === version && existsSync(last.path)) return last.path;
  const path = await writing.of(key, () => asViewer(reader, () => write(web, followed.runId, format)));
  if (path !== null && version !== null) kept.set(key, { version, path });
  return path;
}

/** Of what a report of a finished run is made, in itself and in related runs; null where more may happen on its own. */
async function versionOf({ deps }: Web, { run, reportedN }: FollowedRun): Promise<string | null> {
  if (run.finished === null) return null;
  return `${reportedN} ${(await deps.reads.related(run)).version}`;
}

/** Null where it could not be written. */
async function write(web: Web, runId: string, format: ReportFormat): Promise<string | null> {
  const { calls, log } = web.deps;
  const written = await calls
    .writeReport({ runId, directory: reportsFolder(web, viewer()), format })
    .catch((error: unknown) => ({ outcome: 'failed' as const, error }));
  if (written.outcome === 'written') return written.paths[0] ?? null;
  log.warn({ run: runId, ...written }, 'a report could not be written');
  return null;
}
