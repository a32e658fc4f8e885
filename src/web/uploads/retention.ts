import { existsSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { formatDuration } from '../../domain/time.ts';
import { shownDay, zoneName } from '../../messages/local-time.ts';
import { counted } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { ANYBODY, type Viewer } from '../../messages/viewer.ts';
import type { Web } from '../web.ts';
import type { Upload } from './uploads.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long files are kept that no plan needs, unless somebody says otherwise. */
const KEPT_MS = 7 * DAY_MS;

/** A folder without an upload is one that is arriving, or of a page that was killed meanwhile. */
const ARRIVING_MAX_MS = DAY_MS;

/** `7 days`. */
export function keptText({ options }: Pick<Web, 'options'>): string {
  const ms = options.keepUploadsMs ?? KEPT_MS;
  return String(ms % DAY_MS === 0 ? counted(ms / DAY_MS, 'day') : counted(Math.ceil(ms / HOUR_MS), 'hour'));
}

/** Why a file is not there any more, and what to do. */
export async function goneWords(web: Pick<Web, 'options' | 'people'>, { name, runId, removed }: Upload) {
  const removedAt = removed?.at ?? 0;
  const by = removed?.personId == null ? null : await web.people.nameOf(removed.personId);
  const when = `${shownDay(removedAt)} (${zoneName(removedAt)})`;
  const message =
    by === null
      ? t`“${name}” was removed on ${when}: files without a waiting plan are kept for ${keptText(web)}.`
      : t`“${name}” was removed by ${by} on ${when}.`;
  const paid = runId === null ? '' : t` See Payments for what was planned and paid.`;
  return { message, remedy: t`Upload it again on Overview.${paid}` };
}

/**
 * Since when nobody needs the file: since it was uploaded, or since the plan that was made of it was discarded or what it
 * pays is final; null while a plan is being made of it, waits, or is being paid. All that pays, resumes, retries, reports
 * and verifies reads the journal, and the file only to see whether somebody has changed it since it was planned.
 */
export async function unneededSince({ plannings, runs, deps }: Web, upload: Upload): Promise<number | null> {
  if (await plannings.isUnderWay(upload)) return null;
  if (upload.runId === null) return upload.at;
  const followed = await runs.read(upload.runId).catch((error: unknown) => {
    deps.log.warn({ error, upload: upload.id }, 'whether a file is needed could not be read');
    return undefined;
  });
  if (followed === undefined) return null;
  // A journal that knows nothing of the plan starts none.
  if (followed === null) return upload.at;
  const { finishedAt, cancelled } = followed.run;
  if (finishedAt !== null) return Math.max(upload.at, finishedAt);
  return cancelled && isPlannedOnly(followed.run) ? Math.max(upload.at, followed.reportedAt) : null;
}

/** Removes the file with all that was made of it. What is known of it stays: its name, its hash, who uploaded it. */
export async function removeUpload(
  { store, uploads, audit }: Web,
  upload: Upload,
  personId: string | null,
  why = {},
): Promise<void> {
  const act = personId === null ? 'upload_expired' : 'upload_removed';
  await store.transaction(async () => {
    if (!(await uploads.setRemoved(upload.id, personId))) return;
    const details = { upload: upload.id, name: upload.name, sha256: upload.sha256, ...why };
    await audit.append({ person: personId, act, runId: upload.runId, details });
  });
  await uploads.discard(upload.id);
}

/**
 * Removes the files that were kept long enough, at once and then once a day, until the signal; copies on this host of what was
 * removed on another one within an hour.
 */
export async function removeDaily(web: Web, signal: AbortSignal): Promise<void> {
  const { clock, log } = web.deps;
  while (!signal.aborted) {
    await removeOld(web).catch((error: unknown) => log.error({ error }, 'old uploads could not be looked for'));
    await clock.sleep(web.store.isShared ? HOUR_MS : DAY_MS, signal);
  }
}

async function removeOld(web: Web): Promise<void> {
  const { uploads, options, deps } = web;
  const keptMs = options.keepUploadsMs ?? KEPT_MS;
  const longAgo = deps.clock.wallMs() - keptMs;
  for (const upload of await uploads.keptSince(longAgo)) {
    try {
      const since = await unneededSince(web, upload);
      if (since !== null && since <= longAgo) await removeUpload(web, upload, null, { kept: formatDuration(keptMs) });
    } catch (error) {
      deps.log.warn({ error, upload: upload.id }, 'an upload could not be removed');
    }
  }
  for (const { id, changedAt } of await uploads.files()) {
    const upload = await uploads.get(id);
    const isLeft = upload === null ? changedAt < deps.clock.wallMs() - ARRIVING_MAX_MS : upload.removed !== null;
    if (isLeft) await uploads.discard(id);
  }
  removeOldReports(web, longAgo);
}

/** Where the reports are that people of the page took, of each language and time zone: they are made again on request. */
export function reportsFolder({ store }: Pick<Web, 'store'>, { language, timeZone }: Viewer): string {
  const isPlain = language === ANYBODY.language && timeZone === ANYBODY.timeZone;
  return join(store.folder, 'reports', ...(isPlain ? [] : [`${language}-${timeZone.replaceAll('/', '-')}`]));
}

/** Notes that somebody asked for it now. */
export function noteAsked({ deps }: Pick<Web, 'deps'>, path: string): void {
  const now = deps.clock.wallMs() / 1_000;
  utimesSync(path, now, now);
}

/** Removes the reports that nobody asked for since, with what a command left of one when it was killed. */
function removeOldReports(web: Pick<Web, 'deps' | 'store'>, sinceMs: number): void {
  const folder = reportsFolder(web, ANYBODY);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    try {
      removeOldIn(join(folder, name), sinceMs);
    } catch (error) {
      web.deps.log.warn({ error, folder: name }, 'old reports could not be removed');
    }
  }
}

/** With the folder, where nothing is left in it. What a command was writing is one thing, by the time at which it began. */
function removeOldIn(folder: string, sinceMs: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) removeOldIn(path, sinceMs);
    else if (statSync(path).mtimeMs <= sinceMs) rmSync(path, { recursive: true, force: true });
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
