import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { ValidateFunction } from 'ajv';

/** A report that is larger is one of the tests about size. */
const REPORT_BYTES_MAX = 1_048_576;

const SHOWN_MAX = 4_000;

const load = createRequire(import.meta.url);
const validators = new Map<string, ValidateFunction>();

/** What is not published of what `payrun WORDS` printed with `--json`, and of the report.json that it names; null where nothing is. */
export function unpublishedIn(words: readonly string[], stdout: string, cwd: string): string | null {
  const folder = process.env.PUBLISHED_SCHEMAS;
  if (folder === undefined) return null;
  const name = schemaNameOf(words, folder);
  for (const line of wholeLines(stdout)) {
    const problem = problemOf(name, line, folder) ?? problemOfReport(line, folder, cwd);
    if (problem !== null) return `${words.join(' ')}\n${problem}`;
  }
  return null;
}

/** The longest run of first words that a schema is published for; `refusal` where they are no command. */
function schemaNameOf(words: readonly string[], folder: string): string {
  const command = words.slice(0, 3).filter((word) => /^[a-z]+$/.test(word));
  for (let count = command.length; count > 0; count--) {
    const name = command.slice(0, count).join('-');
    if (existsSync(fileOf(name, folder))) return name;
  }
  return 'refusal';
}

/** A process that was killed may leave a line half written. */
function wholeLines(stdout: string): string[] {
  return stdout.split('\n').slice(0, -1);
}

function problemOfReport(line: string, folder: string, cwd: string): string | null {
  const { report } = JSON.parse(line) as { report?: unknown };
  const named: unknown[] = Array.isArray(report) ? report : [];
  const path = named.find((path) => typeof path === 'string' && path.endsWith('report.json'));
  const file = typeof path === 'string' ? resolve(cwd, path) : null;
  if (file === null || !existsSync(file) || statSync(file).size > REPORT_BYTES_MAX) return null;
  return problemOf('report-file', readFileSync(file, 'utf8'), folder);
}

function problemOf(name: string, text: string, folder: string): string | null {
  const value = parsed(text);
  if (value === undefined) return `is no JSON: ${text.slice(0, SHOWN_MAX)}`;
  const validate = validatorOf(name, folder);
  if (validate(value)) return null;
  const errors = validate.errors?.map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
  return `is not as ${name}.schema.json has it:\n${text.slice(0, SHOWN_MAX)}\n${errors?.join('\n')}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function validatorOf(name: string, folder: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  // Not before it is needed: most tests never look at JSON.
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = load('ajv-formats') as typeof import('ajv-formats').default;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(fileOf(name, folder), 'utf8')));
  validators.set(name, validate);
  return validate;
}

function fileOf(name: string, folder: string): string {
  return join(folder, `${name}.schema.json`);
}
