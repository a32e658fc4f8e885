import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { REPORT_FORMATS, type ReportFormat } from '../../report/formats.ts';
import { familyOf, retriedBy } from '../../runner/retries.ts';
import { relativeIds } from '../../runner/since.ts';
import { requireRole } from '../require-role.ts';
import { errorPage } from '../shell/layout.ts';
import { noteAsked, reportsFolder } from '../uploads/retention.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import type { FollowedRun } from './followed-run.ts';
import { findRun, noSuchRun, SEEING } from './found-run.ts';

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
};

/** Reports that are known to say all that has happened. */
const KEPT_MAX = 1_000;

/** The report of a run, as a file, in the words of the page: the one that was taken before where nothing happened since. */
export function runReportRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const making = new Map<string, Promise<string | null>>();
  const kept = new Map<string, { standing: string; path: string }>();
  const take = async (web: Web, followed: FollowedRun, format: ReportFormat): Promise<string | null> => {
    const key = `${followed.runId}.${format}`;
    // Before it is written: what happens meanwhile may be in it, but this is for certain.
    const standing = await standingOf(web, followed);
    const known = kept.get(key);
    if (standing !== null && known?.standing === standing && existsSync(known.path)) return known.path;
    const under = making.get(key);
    if (under !== undefined) return under;
    const made = make(web, followed.runId, format).finally(() => making.delete(key));
    making.set(key, made);
    const path = await made;
    if (kept.size >= KEPT_MAX) kept.clear();
    if (path !== null && standing !== null) kept.set(key, { standing, path });
    return path;
  };

  for (const format of REPORT_FORMATS)
    app.get(`/runs/:run/report.${format}`, requireRole(...SEEING), async (context) => {
      const { web } = context.var;
      const found = await findRun(context);
      if (found === null) return noSuchRun(context);
      const { runId } = found.followed;
      const path = await take(web, found.followed, format);
      if (path === null) return errorPage(context, { status: 503, ...NOT_WRITTEN });
      noteAsked(web, path);
      web.audit.append({ person: signedIn(context).person.id, act: 'report_taken', runId, details: { format } });
      return sendFile(context, path, `${runId}-report.${format}`, TYPES[format] ?? 'application/octet-stream');
    });
  return app;
}

/** What a report of a finished run is about, in itself and in the runs of its family; null where more may happen by itself. */
async function standingOf({ deps }: Web, { run, runId, reportedN }: FollowedRun): Promise<string | null> {
  if (run.finished === null) return null;
  const retries = await retriedBy(deps.journal, runId);
  if (retries.length === 0 && run.header?.retries === null) return String(reportedN);
  const relatives = relativeIds(run, await familyOf(deps.journal, runId));
  const numbers: number[] = [];
  for (const id of relatives) numbers.push((await deps.journal.head(id))?.n ?? 0);
  return [reportedN, ...retries, ...numbers].join(' ');
}

/** Null where it could not be written. */
async function make(web: Web, runId: string, format: ReportFormat): Promise<string | null> {
  const { calls, log } = web.deps;
  const written = await calls
    .writeReport({ runId, directory: reportsFolder(web), format })
    .catch((error: unknown) => ({ outcome: 'failed' as const, error }));
  if (written.outcome === 'written') return written.paths[0] ?? null;
  log.warn({ run: runId, ...written }, 'a report could not be written');
  return null;
}

const NOT_WRITTEN = {
  what: 'The report could not be written.',
  remedy: 'Try again. The log file in the data directory says why.',
};

/** Always as a file to be kept: what stands in it came from strangers, and nothing of it is shown as a page of ours. */
async function sendFile(context: WebContext, path: string, name: string, type: string): Promise<Response> {
  const { size } = await stat(path);
  return context.body(Readable.toWeb(createReadStream(path)) as ReadableStream, 200, {
    'content-type': type,
    'content-length': String(size),
    'content-disposition': `attachment; filename="${name}"`,
  });
}
