import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { assert } from '../../domain/refusal.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../report/formats.ts';
import { readWitness } from '../../report/witness.ts';
import { reportDirectory } from '../../report/write.ts';
import type { Ended } from '../doors.ts';
import { errorPage } from '../pages/error-page.ts';
import { requireRole } from '../require-role.ts';
import type { FollowedRun } from '../watch/followed-run.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { findRun, noSuchRun, SEEING } from './run.ts';

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
};

/** The report of a run, as a file: the one that the run has written where nothing happened since, else a new one. */
export function runReportRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const making = new Map<string, Promise<Ended>>();
  const make = (web: Web, runId: string, format: ReportFormat): Promise<Ended> => {
    const key = `${runId}.${format}`;
    const known = making.get(key);
    if (known !== undefined) return known;
    const made = web.doors.payrun(['report', runId, '--format', format]).finally(() => making.delete(key));
    making.set(key, made);
    return made;
  };

  for (const format of REPORT_FORMATS)
    app.get(`/runs/:run/report.${format}`, requireRole(...SEEING), async (context) => {
      const { web } = context.var;
      const found = await findRun(context);
      if (found === null) return noSuchRun(context);
      const { runId } = found.followed;
      const path = (await currentReport(found.followed, format)) ?? writtenReport(await make(web, runId, format));
      if (path === null) return errorPage(context, { status: 503, ...NOT_WRITTEN });
      web.audit.append({ person: signedIn(context).person.id, act: 'report_taken', runId, details: { format } });
      return sendFile(context, path, `${runId}-report.${format}`, TYPES[format] ?? 'application/octet-stream');
    });
  return app;
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

/** The file that is there, where it is this run's and says all that has happened; else null. */
async function currentReport(
  { run, runId, reportedN, reportedAt }: FollowedRun,
  format: ReportFormat,
): Promise<string | null> {
  assert(run.header !== null, 'a run without its header');
  if (run.finished === null) return null;
  const { report_dir: directory } = run.header;
  const noted = await readWitness(directory, runId);
  if (noted.outcome !== 'witness' || noted.witness.n < reportedN) return null;
  const path = join(reportDirectory(directory, runId), `report.${format}`);
  const written = await stat(path).catch(() => null);
  return written?.isFile() && written.mtimeMs >= reportedAt ? path : null;
}

function writtenReport({ exit, result }: Ended): string | null {
  const paths =
    exit === 0 && typeof result === 'object' && result !== null && 'report' in result ? result.report : null;
  return Array.isArray(paths) && typeof paths[0] === 'string' ? paths[0] : null;
}
