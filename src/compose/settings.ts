import { z } from 'zod';
import { parseMailbox } from '../domain/notices/email-address.ts';
import { Refusal } from '../domain/refusal.ts';
import { isTimeZone } from '../domain/zone.ts';
import { ENCODING_NAMES } from '../input/source/encoding/encodings.ts';
import type { Job } from '../job/job.ts';
import { readProfileFile } from '../job/profile-file.ts';
import { form, wantedOf, wanting } from '../job/schema-problems.ts';
import {
  databaseUrl,
  durationText,
  parsedText,
  payerId,
  percentText,
  rateText,
  secretReference,
  sizeText,
  wholeText,
} from '../job/values.ts';
import {
  columnTexts,
  currency,
  dayAndTime,
  defaultRails,
  expectedCount,
  expectedTotals,
  fileName,
} from './input-options.ts';
import { groupRoles, issuer } from './provider-options.ts';

/** The default place of the journal. */
export const DATA_DIR_DEFAULT = '.payrun';

const FLAGS = new Set(['1', 'true', 'yes', 'on']);

/** Whether a flag that is written as a text is on. */
export function isOn(text: string): boolean {
  return FLAGS.has(text.toLowerCase());
}

const flag = z.union([z.boolean(), z.string().transform(isOn)]);

const port = z.coerce.number().int().min(0).max(65_535);

const LOG_SIZE_DEFAULT = 64 * 2 ** 20;
const LOG_FILES_DEFAULT = 8;

const KEEP_MIN_MS = 3_600_000;

const schema = z.object({
  dataDir: z.string().min(1).default(DATA_DIR_DEFAULT),
  database: databaseUrl.optional(),
  profile: z.string().min(1).optional(),
  baseUrl: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  signingKey: z.string().min(1).optional(),
  rate: rateText.optional(),
  concurrency: z.coerce.number().int().min(1).max(1_024).optional(),
  webhookListen: z.string().min(1).optional(),
  webhookKey: z.string().min(1).optional(),
  pollEvery: durationText.optional(),
  waitTimeout: durationText.optional(),
  reportDir: z.string().min(1).optional(),
  entity: payerId.optional(),
  connection: payerId.optional(),
  rateCeiling: percentText.optional(),
  runRateCeiling: percentText.optional(),
  json: flag.default(false),
  yes: flag.default(false),
  quiet: flag.default(false),
  detach: flag.default(false),
  logLevel: z.enum(['error', 'warn', 'info', 'debug']).default('info'),
  logMaxSize: sizeText('16KiB', '16GiB').default(LOG_SIZE_DEFAULT),
  logFiles: wholeText(1, 99).default(LOG_FILES_DEFAULT),
  onlyValid: flag.default(false),
  skipPaid: flag.default(false),
  period: z.string().min(1).optional(),
  allowRepeat: z.string().optional(),
  startAt: dayAndTime.optional(),
  startZone: z
    .string()
    .refine(isTimeZone, wanting({ form: 'time_zone' }))
    .optional(),
  anyDay: flag.default(false),
  decimal: z.enum(['.', ',']).optional(),
  currency: currency.optional(),
  defaultRail: defaultRails.optional(),
  sheet: z.string().min(1).optional(),
  encoding: z.enum(ENCODING_NAMES).optional(),
  foldReferences: flag.optional(),
  file: z.string().min(1).optional(),
  fileName: fileName.optional(),
  expectCount: expectedCount.optional(),
  expectTotal: expectedTotals.optional(),
  column: columnTexts.optional(),
  forgetColumns: flag.default(false),
  as: z.string().min(1).optional(),
  approval: z.string().min(1).optional(),
  passphraseFile: z.string().min(1).optional(),
  modulusTable: z.string().min(1).optional(),
  modulusSubstitutions: z.string().min(1).optional(),
  health: z.string().min(1).optional(),
  metricsFile: z.string().min(1).optional(),
  port: port.optional(),
  adminPort: port.default(8_791),
  rateLimit: z.coerce.number().int().min(0).max(1_000_000).default(100),
  settleAfter: durationText.optional(),
  webhook: z.string().min(1).optional(),
  allowPrivateWebhooks: flag.default(false),
  allowPrivateServices: flag.default(false),
  host: z.string().min(1).optional(),
  tlsCert: z.string().min(1).optional(),
  tlsKey: z.string().min(1).optional(),
  behindProxy: z.string().min(1).optional(),
  mailServer: secretReference.optional(),
  mailFrom: parsedText((text) => parseMailbox(text) ?? undefined, { form: 'sender' }).optional(),
  oidcIssuer: issuer.optional(),
  oidcClient: z.string().min(1).optional(),
  oidcSecret: secretReference.optional(),
  oidcRoles: groupRoles.optional(),
  oidcGroups: z.string().min(1).default('groups'),
  keepUploads: durationText.refine((ms) => ms >= KEEP_MIN_MS, form('upload_age')).optional(),
});

export type Settings = z.output<typeof schema> & {
  /** Whether the database was named as an option, and so has to be in each command that is printed. */
  isDatabaseOption?: boolean;
};

/**
 * The settings of a command: the option where it is given, else `PAYRUN_…` in the environment, else the job, else the
 * default. Throws a `Refusal` (`usage`) that names the option, the variable or the place in the job, and how to write it.
 */
export function readSettings(
  options: Record<string, unknown>,
  environment: NodeJS.ProcessEnv,
  job: Job | null = null,
): Settings {
  const settings = parseSettings(options, environment, job);
  if (settings.database !== undefined || settings.profile === undefined) return settings;
  // The profile names the journal's database where nothing nearer does.
  const { database } = readProfileFile(settings.profile).connection;
  return database === undefined ? settings : { ...settings, database };
}

/** The same without reading any file. */
export function parseSettings(
  options: Record<string, unknown>,
  environment: NodeJS.ProcessEnv,
  job: Job | null,
): Settings {
  const given: Record<string, unknown> = {};
  const source: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const found = givenFor(name, options, environment, job);
    if (found === null) continue;
    given[name] = found.value;
    source[name] = found.where;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ...parsed.data, isDatabaseOption: isDatabaseOption(source.database, environment) };
  const faults = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return { where: source[name] ?? name, wanted: wantedOf(issue) };
  });
  throw new Refusal({ code: 'wrong_options', faults, command: commandIn(options) });
}

/** Set to 1 where `PAYRUN_DATABASE` stands for an option of the process that started this one: no password is in its arguments. */
export const DATABASE_IS_OPTION = 'PAYRUN_DATABASE_IS_OPTION';

function isDatabaseOption(where: string | undefined, environment: NodeJS.ProcessEnv): boolean {
  return where === '--database' || (where === 'PAYRUN_DATABASE' && environment[DATABASE_IS_OPTION] === '1');
}

/** What concerns one run or one page, and not the tasks that a page starts. */
const OF_ONE_COMMAND: ReadonlySet<string> = new Set([
  'allowRepeat',
  'anyDay',
  'approval',
  'as',
  'json',
  'mailFrom',
  'mailServer',
  'oidcClient',
  'oidcGroups',
  'oidcIssuer',
  'oidcRoles',
  'oidcSecret',
  'onlyValid',
  'passphraseFile',
  'period',
  'port',
  'startAt',
  'startZone',
  'yes',
]);

/** The options and variables that a page was given and that its tasks work by too, as they are written. */
export function settingsForTasks(
  options: Record<string, unknown>,
  environment: NodeJS.ProcessEnv,
): Record<string, unknown> {
  const names = Object.keys(schema.shape).filter((name) => !OF_ONE_COMMAND.has(name));
  const given = names.map((name) => [name, givenFor(name, options, environment, null)?.value] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** The command as yargs gives it; null where there is none. */
function commandIn({ _: words }: Record<string, unknown>): string | null {
  const name: unknown = Array.isArray(words) ? words[0] : undefined;
  return typeof name === 'string' ? name : null;
}

/** The value of a setting as it is written, and where; null where it is given nowhere. */
function givenFor(
  name: string,
  options: Record<string, unknown>,
  environment: NodeJS.ProcessEnv,
  job: Job | null,
): { value: unknown; where: string } | null {
  if (options[name] !== undefined) return { value: options[name], where: `--${kebab(name)}` };
  const variable = `PAYRUN_${kebab(name).replaceAll('-', '_').toUpperCase()}`;
  const fromEnvironment = environment[variable];
  if (fromEnvironment !== undefined && fromEnvironment !== '') return { value: fromEnvironment, where: variable };
  return job?.settings.get(name) ?? null;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
