import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import type { AnySchemaObject, ValidateFunction } from 'ajv';

/** A report that is larger is one of the tests about size. */
const REPORT_BYTES_MAX = 1_048_576;
const SHOWN_MAX = 4_000;

const load = createRequire(import.meta.url);
const validators = new Map<string, ValidateFunction>();
let schemas: ReadonlyMap<string, AnySchemaObject> | null = null;

/** What of the output of `payrun WORDS --json`, and of the report.json that it names, is not as it is published; null where all is. */
export function unpublishedIn(words: readonly string[], stdout: string, cwd: string): string | null {
  const name = schemaNameOf(words);
  for (const line of wholeLines(stdout)) {
    const problem = unpublished(name, line) ?? unpublishedReport(line, cwd);
    if (problem !== null) return `${words.join(' ')}\n${problem}`;
  }
  return null;
}

/** The longest run of first words that a schema is published for; `refusal` where they are no command. */
function schemaNameOf(words: readonly string[]): string {
  const command = words.slice(0, 3).filter((word) => /^[a-z]+$/.test(word));
  for (let count = command.length; count > 0; count--) {
    const name = command.slice(0, count).join('-');
    if (publishedSchemas().has(name)) return name;
  }
  return 'refusal';
}

/** A process that was killed may leave a line half written. */
function wholeLines(stdout: string): string[] {
  return stdout.split('\n').slice(0, -1);
}

function unpublishedReport(line: string, cwd: string): string | null {
  const { report } = JSON.parse(line) as { report?: unknown };
  const named: unknown[] = Array.isArray(report) ? report : [];
  const path = named.find((path) => typeof path === 'string' && path.endsWith('report.json'));
  const file = typeof path === 'string' ? resolve(cwd, path) : null;
  if (file === null || !existsSync(file) || statSync(file).size > REPORT_BYTES_MAX) return null;
  return unpublished('report-file', readFileSync(file, 'utf8'));
}

/** What of a JSON text is not as the schema of that name has it; null where all is. */
export function unpublished(name: string, text: string): string | null {
  const value = parsed(text);
  if (value === undefined) return `is no JSON: ${text.slice(0, SHOWN_MAX)}`;
  const validate = validatorOf(name);
  if (validate(value)) return null;
  const errors = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
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

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  // Not before it is needed: most tests never look at JSON.
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = load('ajv-formats') as typeof import('ajv-formats').default;
  // That the schemas are JSON Schema has a test of its own: to prepare it takes longer than all of ours.
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, meta: false, validateSchema: false });
  addFormats(ajv);
  const validate = ajv.compile(publishedSchemas().get(name) ?? false);
  validators.set(name, validate);
  return validate;
}

/** What `compiled-payrun.ts` wrote for the tests; outside of them what the source makes. */
function publishedSchemas(): ReadonlyMap<string, AnySchemaObject> {
  const file = process.env.PUBLISHED_SCHEMAS;
  schemas ??= file === undefined ? OF_SOURCE : new Map(JSON.parse(readFileSync(file, 'utf8')));
  return schemas as ReadonlyMap<string, AnySchemaObject>;
}

const OF_SOURCE: ReadonlyMap<string, AnySchemaObject> =
  process.env.PUBLISHED_SCHEMAS === undefined
    ? await (await import('../../src/cli/json/schemas.ts')).publishedSchemas()
    : new Map();
