import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { NotifySettings } from '../domain/notices/notify.ts';
import { addProblem } from './add-problem.ts';
import type { Job, JobSetting } from './job.ts';
import { type RemittanceProblem, readNotify } from './notify-settings.ts';
import { approvalPart } from './parts/approval-part.ts';
import { comparePart } from './parts/compare-part.ts';
import { inputPart } from './parts/input-part.ts';
import { type JobLimits, limitsPart } from './parts/limits-part.ts';
import { notifyPart } from './parts/notify-part.ts';
import { runPart } from './parts/run-part.ts';
import { schedulePart } from './parts/schedule-part.ts';
import { servicePart } from './parts/service-part.ts';
import { fileRefusal, type PlacedProblem } from './placed-problem.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';
import type { YamlValue } from './yaml-text.ts';

/** Job names stand in the journal, in commands and in the names of locks. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

const NAME_REMEDY = 'write letters, digits, hyphens, points and underscores, 64 at most';

const name = z.string().superRefine((text, context) => {
  if (!NAME.test(text)) addProblem(context, { remedy: NAME_REMEDY });
});

/** The keys of a job. A part is a file; whatever reads a key reads it from the job, not from the file. */
export const jobSchema = z
  .strictObject({
    name: name.optional().describe("what the job is called; the file's name without .yaml if nothing is said"),
    description: z.string().optional().describe('for people: what is paid here'),
    ...inputPart,
    ...servicePart,
    ...runPart,
    ...approvalPart,
    ...schedulePart,
    ...comparePart,
    ...limitsPart,
    ...notifyPart,
  })
  .superRefine(({ limits, approval }, context) => {
    const remedy = 'name who approves under approval:, or take the key out';
    const what = 'needs somebody who approves, and the job has no approval:';
    if (limits?.cooling_off_ms != null && approval === undefined)
      addProblem(context, { path: ['limits', 'cooling_off'], isKey: true, what, remedy });
  })
  .superRefine(({ profile, service }, context) => {
    const remedy = 'keep one: the file of a profile, or the profile itself';
    if (profile !== undefined && service !== undefined)
      addProblem(context, { path: ['service'], isKey: true, what: 'says the same as profile', remedy });
  });

const UNDER_SERVICE = 'write it under service:, or in the file that profile: names';
const FOR_ONE_RUN = 'it is a word about one run: say it on the command line';

/** Options that are no keys, and why. */
const NO_KEYS: Readonly<Record<string, string>> = {
  data_dir:
    'the journal knows what the job has paid, and every command must find it: give --data-dir or PAYRUN_DATA_DIR',
  json: 'whoever starts the job says how it answers: give --json',
  base_url: UNDER_SERVICE,
  api_key: UNDER_SERVICE,
  signing_key: 'write signing_key_file under service:, or in the file that profile: names',
  signing_key_file: UNDER_SERVICE,
  webhook_listen: 'write webhooks: {listen: …} under service:',
  webhook_key: 'write webhooks: {public_key: …} under service:',
  allow_repeat: FOR_ONE_RUN,
  forget_columns: FOR_ONE_RUN,
  period: FOR_ONE_RUN,
  cron: 'write schedule: and below it cron: and time_zone:',
  column: 'write columns: and below it `Header: column`',
};

export const JOB_REMEDY = 'Mend the job; jobs/README.md has its keys.';

export type ReadJob = { ok: true; job: Job } | { ok: false; problems: PlacedProblem[] };

/** Reads a job's file. Throws a `Refusal` (`usage`) where there is none that can be read. */
export function readJob(file: string): ReadJob {
  const read = readYamlFile(file, jobSchema, NO_KEYS);
  if (!read.ok) return read;
  const nameOfFile = basename(file, extname(file));
  if (read.value.name === undefined && !NAME.test(nameOfFile)) {
    const message = 'the name of this file cannot be the name of a job';
    return { ok: false, problems: [{ line: 1, column: 1, message, remedy: 'add name:, or rename the file' }] };
  }
  const notify = readNotify(read.value, dirname(file));
  if (!notify.ok) return { ok: false, problems: [placed(notify.problem, read)] };
  return { ok: true, job: jobOf(file, nameOfFile, read, notify.settings) };
}

function placed({ key, message, remedy }: RemittanceProblem, { placeOf }: RightFile): PlacedProblem {
  return { ...placeOf(['remittance', key]), message, remedy };
}

/** The same of a job that has to be right. Throws a `Refusal` (`usage`) with a line for each problem. */
export function requireJob(file: string): Job {
  const read = readJob(file);
  if (read.ok) return read.job;
  throw fileRefusal(file, read.problems, JOB_REMEDY);
}

type RightFile = Extract<YamlFile<z.output<typeof jobSchema>>, { ok: true }>;

function jobOf(
  file: string,
  nameOfFile: string,
  { value, written, whereIs }: RightFile,
  notify: NotifySettings | null,
): Job {
  const folder = dirname(file);
  const beside = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  const settings = new Map<string, JobSetting>();
  for (const [key, toSetting] of Object.entries(SETTINGS)) {
    const raw = (written as Record<string, YamlValue>)[key];
    if (raw === undefined) continue;
    settings.set(NAMES[key] ?? camel(key), {
      value: toSetting(raw, beside, value),
      where: `${whereIs([key])}: ${key}`,
    });
  }
  return {
    name: value.name ?? nameOfFile,
    file,
    description: value.description ?? null,
    input: beside(value.input),
    inputWhere: whereIs(['input']),
    columns: value.columns ?? [],
    settings,
    approval: value.approval ?? null,
    repeatWindowMs: value.repeat_window ?? null,
    amountChange: value.amount_change ?? null,
    limits: value.limits === undefined ? null : limitsBeside(value.limits, beside),
    limitsWhere: value.limits?.only_payees ? whereIs(['limits', 'only_payees']) : '',
    service:
      value.service === undefined
        ? null
        : { connection: value.service, folder, whereIs: (path) => whereIs(['service', ...path]) },
    schedule: value.schedule ?? null,
    notify,
  };
}

function limitsBeside(limits: JobLimits, beside: (path: string) => string): JobLimits {
  const { only_payees: only } = limits;
  return only !== null && 'file' in only ? { ...limits, only_payees: { file: beside(only.file) } } : limits;
}

type ToSetting = (raw: YamlValue, beside: (path: string) => string, value: z.output<typeof jobSchema>) => unknown;

const asWritten: ToSetting = (raw) => raw;
const asPath: ToSetting = (raw, beside) => beside(String(raw));

/** The keys that are options of the command line, and how their value is said there. */
const SETTINGS: Readonly<Record<string, ToSetting>> = {
  sheet: asWritten,
  encoding: asWritten,
  decimal: asWritten,
  expect_count: asWritten,
  expect_total: (_raw, _beside, { expect_total }) => expect_total,
  default_rails: (_raw, _beside, { default_rails }) => default_rails,
  modulus_table: asPath,
  modulus_substitutions: asPath,
  profile: asPath,
  ...Object.fromEntries(Object.keys(runPart).map((key) => [key, asWritten])),
  report_dir: asPath,
};

/** Settings that are not called as their key: the option is given once for each. */
const NAMES: Readonly<Record<string, string>> = { default_rails: 'defaultRail' };

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
