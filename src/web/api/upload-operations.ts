import { z } from 'zod';
import type { ShownProblem } from '../../app/check/check-result.ts';
import { isoUtc } from '../../domain/time.ts';
import type { Failure } from '../shell/parts.ts';
import type { Checked } from '../uploads/checks.ts';
import { type ReceivedFile, receiveBytes } from '../uploads/receive-file.ts';
import { addUpload, isDiskFull } from '../uploads/receive-upload.ts';
import type { Upload } from '../uploads/uploads.ts';
import { pageByPlace } from './cursor.ts';
import { fingerprintOf, once } from './idempotency.ts';
import { type Call, type Caller, operation, type Result } from './operation.ts';
import { ApiProblem, type ProblemCode } from './problem.ts';
import { paging, shapes, uploadId, waiting } from './shapes.ts';

const byId = z.object({ upload_id: uploadId });

const newUpload = z.object({
  name: z.string().min(1).max(200).describe('The name of the file, with its ending: `november.csv`.'),
  job: z.string().min(1).max(100).optional().describe('The job that it is for.'),
  connection: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('What it is paid over, by the id that GET /connections lists. Default: what the page was started with.'),
  wait: waiting,
});

type NewUpload = z.output<typeof newUpload>;

const upload = operation({
  id: 'createUpload',
  method: 'post',
  path: '/uploads',
  summary: 'Upload a file and check it',
  description: 'The body is the file itself, of at most 25 MB. Only who uploaded a file sees it here.',
  scopes: ['uploads:write'],
  query: newUpload,
  body: 'bytes',
  answers: { 201: shapes.upload },
  problems: ['file_refused', 'too_many_uploads', 'storage_full'],
  handle: receive,
});

const show = operation({
  id: 'getUpload',
  method: 'get',
  path: '/uploads/{upload_id}',
  summary: 'Read an upload and its check',
  scopes: ['uploads:write'],
  params: byId,
  query: z.object({ wait: waiting }),
  answers: { 200: shapes.upload },
  problems: ['not_found', 'file_removed'],
  handle: async (call) => ({
    status: 200,
    body: await shownUpload(call, await ownUpload(call, call.params.upload_id), call.query.wait),
  }),
});

const problems = operation({
  id: 'listFileProblems',
  method: 'get',
  path: '/uploads/{upload_id}/problems',
  summary: 'List what is wrong in a file, by row',
  description: 'At most 1,000 problems; the counts of the upload are of all.',
  scopes: ['uploads:write'],
  params: byId,
  query: z.object(paging),
  answers: { 200: shapes.problems },
  problems: ['not_found', 'file_removed', 'not_checked'],
  handle: async ({ params, query, ...call }) => {
    const checked = await call.web.checks.look(await ownUpload(call, params.upload_id), 0);
    if (checked === null) throw new ApiProblem('not_checked', 'Read the upload with wait=30 until it is checked.');
    const found = checked.state === 'checked' ? checked.result.problems : [];
    const page = pageByPlace(found, query.cursor, query.limit);
    return { status: 200, body: { ...page, items: page.items.map(shownProblem) } };
  },
});

export const uploadOperations = [upload, show, problems];

/** The upload of a person, by one of their tokens; those of others are not there. Throws an `ApiProblem`. */
export async function ownUpload({ web, person }: Caller, id: string): Promise<Upload> {
  const found = (await web.sight.of(person).upload(id))?.upload ?? null;
  if (found === null || found.personId !== person.id)
    throw new ApiProblem('not_found', 'You have uploaded no file with this id.');
  if (found.removed !== null) throw new ApiProblem('file_removed', 'Upload it again.');
  return found;
}

async function receive(
  call: Call<unknown, NewUpload>,
): Promise<Response | { status: 201; body: z.input<typeof shapes.upload> }> {
  const { web, person } = call;
  const leave = web.arriving.enter(person.id);
  if (leave === null)
    throw new ApiProblem('too_many_uploads', 'Wait until one has arrived.', { headers: { 'retry-after': '5' } });
  try {
    return await web.uploads.inNewFolder(async (made) => {
      const { body } = call.context.req.raw;
      const file = await receiveBytes({ body, name: call.query.name, clock: web.deps.clock }, made.folder);
      if ('status' in file) throw refusedFile(file);
      const answer = await once(call, fingerprintOf(call.context, file.sha256), () => keep(call, made, file));
      return answer as { status: 201; body: z.input<typeof shapes.upload> };
    });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new ApiProblem('storage_full', 'The administrator of the page has to make room.');
  } finally {
    leave();
  }
}

async function keep(
  call: Call<unknown, NewUpload>,
  { id, keeps }: { id: string; keeps(): void },
  file: ReceivedFile,
): Promise<Result> {
  const { web, person, token, query } = call;
  // A file takes its time, in which the token may have been revoked.
  const [now, still] = [await web.tokens.get(token.id), await web.people.get(person.id)];
  if (now === null || now.revokedAt !== null) throw new ApiProblem('token_revoked', 'The file was not kept.');
  if (still === null || still.lockedAt !== null) throw new ApiProblem('person_deactivated', 'The file was not kept.');
  const { job = '', connection = '' } = query;
  const fields = new Map(Object.entries({ job, connection }));
  const refused = await addUpload(web, { id, file, fields, person: still, via: { token: token.name } });
  if (refused !== null) throw refusedFile(refused);
  keeps();
  return { status: 201, body: await shownUpload(call, await ownUpload(call, id), query.wait) };
}

const FILE_CODES: Readonly<Partial<Record<Failure['status'], ProblemCode>>> = {
  400: 'cut_off',
  408: 'too_slow',
  413: 'too_large',
};

function refusedFile({ status, message, remedy }: Failure): ApiProblem {
  return new ApiProblem(FILE_CODES[status] ?? 'file_refused', `${message} ${remedy}`);
}

async function shownUpload(
  { web }: Caller,
  upload: Upload,
  waitSeconds: number,
): Promise<z.input<typeof shapes.upload>> {
  const checked = await web.checks.look(upload, waitSeconds * 1_000);
  const { id, name, bytes, sha256, job, at, runId } = upload;
  const connection = (await web.connections.ofUpload(upload))?.id ?? null;
  const known = { id, name, bytes, sha256, job, connection, uploaded_at: isoUtc(at), plan_id: runId };
  return { ...known, ...checkOf(checked) };
}

const NOT_CHECKED = { message: null, rows: null, payouts: null, totals: [], errors: null, warnings: null };

function checkOf(checked: Checked | null) {
  if (checked === null) return { state: 'checking' as const, ...NOT_CHECKED };
  if (checked.state === 'refused')
    return { state: checked.state, ...NOT_CHECKED, message: `${checked.message} ${checked.remedy}`.trim() };
  if (checked.state === 'broken') return { state: checked.state, ...NOT_CHECKED, message: 'Upload the file again.' };
  const { rows, payouts, totals, problem_counts: counts } = checked.result;
  return {
    state: checked.state,
    message: null,
    rows,
    payouts,
    totals: totals.map(({ currency, count, amount }) => ({ currency, payouts: count, amount })),
    errors: counts.errors,
    warnings: counts.warnings,
  };
}

function shownProblem(problem: ShownProblem) {
  const { severity, code, row, column, cell, value, message, remedy, suggestion } = problem;
  return { severity, code, row, column, cell, value, message, remedy, suggestion: suggestion ?? null };
}
