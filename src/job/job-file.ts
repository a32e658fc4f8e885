import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { NotifySettings } from '../domain/notices/notify.ts';
import type { FileProblem, InsteadOfKey } from '../domain/refusals/settings-faults.ts';
import type { Job, JobSetting } from './job.ts';
import { approvalPart } from './parts/approval-part.ts';
import { inputPart } from './parts/input-part.ts';
import { type JobLimits, limitsPart } from './parts/limits-part.ts';
import { notifyPart, readNotify } from './parts/notify-part.ts';
import { comparePart, runPart, servicePart } from './parts/run-part.ts';
import { schedulePart } from './parts/schedule-part.ts';
import { fileRefusal } from './placed-problem.ts';
import { addProblem, form } from './schema-problems.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';
import type { YamlValue } from './yaml-text.ts';

/** Job names stand in the journal, in commands and in the names of locks. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

const name = z.string().refine((text) => NAME.test(text), form('job_name'));

/** The keys of a job. */
export const jobSchema = z
  .strictObject({
    name: name.optional().describe("the name of the job (default: the file's name without .yaml)"),
    description: z.string().optional().describe('for people: what this job pays'),
    ...inputPart,
    ...servicePart,
    ...runPart,
    ...approvalPart,
    ...schedulePart,
    ...comparePart,
    ...limitsPart,
    ...notifyPart,
  })
  .superRefine(({ limits, approval, profile, service }, context) => {
    if (limits?.cooling_off_ms != null && approval === undefined)
      addProblem(context, { code: 'cooling_off_without_approval' }, { path: ['limits', 'cooling_off'], isKey: true });
    if (profile !== undefined && service !== undefined)
      addProblem(context, { code: 'service_beside_profile' }, { path: ['service'], isKey: true });
  });

/** Options that are no keys, and what to write in place of each. */
const NO_KEYS: Readonly<Record<string, InsteadOfKey>> = {
  data_dir: 'data_dir',
  json: 'json',
  base_url: 'under_service',
  api_key: 'under_service',
  signing_key: 'signing_key_file',
  signing_key_file: 'under_service',
  webhook_listen: 'webhooks_listen',
  webhook_key: 'webhooks_public_key',
  allow_repeat: 'for_one_run',
  forget_columns: 'for_one_run',
  period: 'for_one_run',
  cron: 'schedule',
  column: 'columns',
};

export type ReadJob = { ok: true; job: Job } | { ok: false; problems: FileProblem[] };

/** Reads a job's file. Throws a `Refusal` (`usage`) where there is none that can be read. */
export function readJob(file: string): ReadJob {
  const read = readYamlFile(file, jobSchema, NO_KEYS);
  if (!read.ok) return read;
  const nameOfFile = basename(file, extname(file));
  if (read.value.name === undefined && !NAME.test(nameOfFile))
    return { ok: false, problems: [{ line: 1, column: 1, code: 'no_job_name' }] };
  const notify = readNotify(read.value, dirname(file));
  if (notify.ok) return { ok: true, job: jobOf(file, nameOfFile, read, notify.settings) };
  return { ok: false, problems: [{ ...read.placeOf(['remittance', notify.key]), ...notify.fault }] };
}

/** The same of a job that has to be right. Throws a `Refusal` (`usage`) with a line for each problem. */
export function requireJob(file: string): Job {
  const read = readJob(file);
  if (read.ok) return read.job;
  throw fileRefusal(file, 'job', read.problems);
}

type RightFile = Extract<YamlFile<z.output<typeof jobSchema>>, { ok: true }>;

function jobOf(file: string, nameOfFile: string, read: RightFile, notify: NotifySettings | null): Job {
  const { value, whereIs } = read;
  const folder = dirname(file);
  const beside = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  const { service, limits } = value;
  return {
    name: value.name ?? nameOfFile,
    file,
    description: value.description ?? null,
    input: beside(value.input),
    inputWhere: whereIs(['input']),
    columns: value.columns ?? [],
    settings: settingsOf(read, beside),
    approval: value.approval ?? null,
    repeatWindowMs: value.repeat_window ?? null,
    amountChange: value.amount_change ?? null,
    limits: limits === undefined ? null : limitsBeside(limits, beside),
    limitsWhere: limits?.only_payees ? whereIs(['limits', 'only_payees']) : '',
    service: service ? { connection: service, folder, whereIs: (path) => whereIs(['service', ...path]) } : null,
    schedule: value.schedule ?? null,
    notify,
  };
}

function limitsBeside(limits: JobLimits, beside: (path: string) => string): JobLimits {
  const { only_payees: only } = limits;
  return only !== null && 'file' in only ? { ...limits, only_payees: { file: beside(only.file) } } : limits;
}

/** The keys that are options of the command line, and which setting each is. */
const SETTINGS: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'sheet',
      'encoding',
      'decimal',
      'currency',
      'fold_references',
      'expect_count',
      'expect_total',
      'modulus_table',
      'modulus_substitutions',
    ],
    ...['profile', 'default_rails'],
    ...Object.keys(runPart),
  ].map((key) => [key, key === 'default_rails' ? 'defaultRail' : camel(key)]),
);

const PATHS: ReadonlySet<string> = new Set(['modulus_table', 'modulus_substitutions', 'profile', 'report_dir']);

/** The settings as the command line would give them: as they are written, but for paths and for options that repeat. */
function settingsOf(
  { value, written, whereIs }: RightFile,
  beside: (path: string) => string,
): ReadonlyMap<string, JobSetting> {
  const settings = new Map<string, JobSetting>();
  for (const [key, setting] of SETTINGS) {
    const raw = (written as Record<string, YamlValue>)[key];
    if (raw === undefined) continue;
    const repeated = key === 'expect_total' || key === 'default_rails' ? value[key] : undefined;
    const text = PATHS.has(key) ? beside(String(raw)) : (repeated ?? raw);
    settings.set(setting, { value: text, where: `${whereIs([key])}: ${key}` });
  }
  return settings;
}

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
