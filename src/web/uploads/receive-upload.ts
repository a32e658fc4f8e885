import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Person } from '../../app/people/people.ts';
import { readingOfRun, runOfCorrections } from '../../app/retry/corrected-reading.ts';
import type { KnownJob } from '../../app/schedule/known-jobs.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { t, textTable } from '../../messages/translate.ts';
import { FULL, sqliteCode } from '../../platform/sqlite.ts';
import { hasRetryable } from '../../report/model/outcome.ts';
import { readRelative } from '../runs/result-figures.ts';
import { errorPage } from '../shell/layout.ts';
import type { Failure } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext } from '../web.ts';
import { inputName, type ReceivedFile, receiveBytes, receiveUpload } from './receive-file.ts';
import { chosenConnection } from './upload-over.ts';
import { showUploadStep } from './upload-step.ts';
import { DEFAULT_READING, type Upload } from './uploads.ts';

const TOO_MANY: Failure = textTable({ status: 429, message: 'Too many uploads.', remedy: 'Try again shortly.' });
const DISK_FULL: Failure = textTable({
  status: 507,
  message: 'The disk where the page keeps its files is full. The file was not kept.',
  remedy: 'Tell your administrator, then upload it again.',
});
const NO_JOB: Failure = textTable({
  status: 422,
  message: 'Job not found, or its file has errors.',
  remedy: 'Choose another one. Schedules shows what is wrong with the file of each.',
});
const NO_INPUT: Failure = textTable({
  status: 409,
  message: 'No file is due for this job now.',
  remedy: 'Put one where the job looks for it, or upload one.',
});
const NOT_YOURS: Failure = textTable({
  status: 403,
  message: 'You are not a preparer for this, or its names and amounts are hidden from you. The file was not kept.',
  remedy: 'Choose a job that is yours. Under Team an administrator can change what you prepare.',
});
const NOT_CORRECTED: Failure = textTable({
  status: 422,
  message: 'That run has no rows to be corrected. The file was not kept.',
  remedy: 'Look at the run again. To pay other payouts, start a new payment.',
});
const allPaid = (runId: string, by: readonly string[]): Failure => ({
  status: 422,
  message: t`The file has rows of ${runId} to be corrected, and all of them were paid since, in ${by.join(', ')}. It was not kept.`,
  remedy: t`Nothing to do. To pay other payouts, start a new payment.`,
});
const SIGNED_OUT: Failure = textTable({
  status: 401,
  message: 'You are signed out. The file was not kept.',
  remedy: 'Sign in, and upload it again.',
});
const NO_ROOM: ReadonlySet<unknown> = new Set(['EDQUOT', 'ENOSPC']);

type Fields = ReadonlyMap<string, string>;

/** Takes a file that somebody uploads, and begins its check. What is not kept leaves nothing behind. */
export async function receive(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const leave = web.arriving.enter(person.id);
  if (leave === null) return showUploadStep(context, { wrong: TOO_MANY });
  try {
    return await intoFolder(context);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    web.deps.log.error({ error }, 'there is no room left for an upload');
    return showUploadStep(context, { wrong: DISK_FULL });
  } finally {
    leave();
  }
}

/**
 * Takes the file that a job would pay now as one that this person uploads for it: it is checked, planned and approved as any other.
 * Nobody takes the file of a job for which they do not prepare payments.
 */
export async function receiveOfJob(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const { uploads, deps } = web;
  const name = context.req.param('job') ?? '';
  const job = jobOf(web, person, name);
  const { sees, roles } = web.sight.of(person).ofRun(job && { job: name, entity: job.entity });
  const isAllowed = sees === 'all' && roles.includes('preparer');
  const path = isAllowed && job?.problems.length === 0 ? job.input() : null;
  if (path === null) return errorPage(context, { ...(isAllowed ? NO_INPUT : NO_JOB), status: 409 });
  return uploads.inNewFolder(async ({ id, folder, keeps }) => {
    const file = await receiveBytes({ body: createReadStream(path), name: basename(path), clock: deps.clock }, folder);
    const fields = new Map([['job', name]]);
    const refused = 'status' in file ? file : await addUpload(web, { id, file, fields, person });
    if (refused !== null) return errorPage(context, refused);
    keeps();
    return context.redirect(`/uploads/${id}`, 303);
  });
}

function intoFolder(context: WebContext): Promise<Response> {
  const { uploads, deps } = context.var.web;
  return uploads.inNewFolder(async ({ id, folder, keeps }) => {
    const { body } = context.req.raw;
    const contentType = context.req.header('content-type') ?? '';
    const { file, fields } = await receiveUpload({ body, contentType, clock: deps.clock }, folder);
    if (!(await mayStill(context))) return errorPage(context, SIGNED_OUT);
    const { web, person } = signedIn(context);
    const refused = 'status' in file ? file : await addUpload(web, { id, file, fields, person });
    if (refused !== null) return showUploadStep(context, { wrong: refused, job: fields.get('job') || null });
    keeps();
    return context.redirect(`/uploads/${id}`, 303);
  });
}

/** A file takes its time, in which a person may have been locked out. */
async function mayStill(context: WebContext): Promise<boolean> {
  const { web, person, session } = signedIn(context);
  const now = await web.people.get(person.id);
  return now?.lockedAt === null && now.roles.includes('preparer') && (await web.sessions.isOpen(session));
}

/** The job of that name; null where there is none that this person sees anything of. */
function jobOf({ deps, sight }: Web, person: Person, name: string): KnownJob | null {
  const seen = sight.of(person);
  return deps.jobs().find((job) => job.name === name && seen.seesJob(job)) ?? null;
}

/** A file that was written to the folder of its upload. `via` is noted of it, such as the token that uploaded it. */
type Arrived = { id: string; file: ReceivedFile; fields: Fields; person: Person; via?: Record<string, string> };

/** Keeps the file and begins its check. Why it is not kept, or null where it is. */
export async function addUpload(web: Web, { id, file, fields, person, via }: Arrived): Promise<Failure | null> {
  const { uploads, audit, checks, store } = web;
  const seen = web.sight.of(person);
  const replaced = (await seen.upload(fields.get('mends') ?? ''))?.upload ?? null;
  const job = replaced?.job ?? (fields.get('job') || null);
  if (job !== null && jobOf(web, person, job)?.problems.length !== 0) return NO_JOB;
  const path = uploads.beside({ id }, inputName(file.kind));
  const noted = replaced?.corrects == null ? await notedRun(web, person, { name: file.name, path }) : '';
  const corrected = await correctedRun(web, person, replaced === null ? fields.get('corrects') || noted : noted);
  if (corrected !== null && 'status' in corrected) return corrected;
  const over = await connectionOf(web, { fields, person, job, replaced, corrected });
  if ('status' in over) return over;
  const connectionId = over.id;
  if (corrected === null && replaced?.corrects == null && !(await seen.mayPrepare({ job, connectionId })))
    return NOT_YOURS;
  const reading = corrected === null ? (replaced?.reading ?? DEFAULT_READING) : readingOfRun(corrected);
  const corrects = corrected?.header?.run_id ?? replaced?.corrects ?? null;
  await uploads.keep({ id }, inputName(file.kind));
  const upload = await store.transaction(async () => {
    const { name, bytes, sha256 } = file;
    const ofJob = corrected === null ? job : null;
    const details = { upload: id, name, bytes, sha256, job: ofJob, connection: connectionId, ...via };
    await audit.append({ person: person.id, act: 'uploaded', runId: corrects, details });
    const known = { personId: person.id, job: ofJob, connectionId, reading, mends: replaced?.id ?? null, corrects };
    return uploads.add({ id, file, ...known });
  });
  void checks.begin(upload);
  return null;
}

type Chosen = Pick<Arrived, 'fields' | 'person'> & {
  job: string | null;
  replaced: Upload | null;
  corrected: RunState | null;
};

/** What it is paid over: where its run was, or the file whose place it takes is, else what was chosen. */
async function connectionOf(
  web: Web,
  { fields, person, job, replaced, corrected }: Chosen,
): Promise<{ id: string | null } | Failure> {
  if (corrected?.header) return { id: (await web.connections.ofRun(corrected.header))?.id ?? null };
  if (replaced !== null) return { id: replaced.connectionId };
  return chosenConnection(web, person, { named: fields.get('connection') ?? '', job });
}

/** The run that a sheet of rows to be corrected was made of, where it is here; empty for every other file. */
async function notedRun(web: Web, person: Person, file: { name: string; path: string }): Promise<string> {
  const runId = await runOfCorrections(file);
  return runId !== null && (await web.sight.of(person).seesRun(runId)) === 'all' ? runId : '';
}

/** The run whose rows a file corrects; null where it corrects none, and why not where that run has no rows to be corrected. */
async function correctedRun(web: Web, person: Person, runId: string): Promise<RunState | Failure | null> {
  if (runId === '') return null;
  const run = (await web.runs.read(runId))?.run;
  const { sees, roles } = web.sight.of(person).ofRun(run?.header ?? null);
  if (sees !== 'all' || !roles.includes('preparer')) return NOT_CORRECTED;
  if (!run?.header || run.finished === null || !hasRetryable(run)) return NOT_CORRECTED;
  const by = await web.deps.reads.paidSince(run, readRelative(web));
  return by === null ? run : allPaid(runId, by);
}

export function isDiskFull(error: unknown): boolean {
  return sqliteCode(error) === FULL || (error instanceof Error && 'code' in error && NO_ROOM.has(error.code));
}
