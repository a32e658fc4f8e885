import process from 'node:process';
import { callAdmin, findRunningService } from '../../../compose/running-service.ts';
import { readSettings } from '../../../compose/settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { ADMIN_OPERATIONS } from '../../../service/admin/operations.ts';
import { parseStrictJson } from '../../../service/gateway/strict-json.ts';

type Options = Record<string, unknown>;

/** `payrun service admin OPERATION BODY`: one operation of the running service's admin port. */
export async function adminCommand(options: Options): Promise<void> {
  const { operation } = options;
  const settings = readSettings(options, process.env);
  if (operation === undefined) {
    process.stdout.write(settings.json ? `${JSON.stringify(listJson())}\n` : listText());
    return;
  }
  const words = (options._ as (string | number)[]).slice(COMMAND_WORDS).map(String);
  await perform(options, String(operation), readBody(String(operation), words));
}

/** `service` and `admin` themselves. */
const COMMAND_WORDS = 2;

/** Performs one operation of the admin port, and prints what it answers. */
export async function perform(options: Options, operation: string, body: unknown): Promise<void> {
  const settings = readSettings(options, process.env);
  const service = findRunningService(settings.dataDir, options.adminUrl as string | undefined);
  const data = await callAdmin(service, operation, body);
  const isPretty = process.stdout.isTTY === true && !settings.json;
  process.stdout.write(`${JSON.stringify(data, null, isPretty ? 2 : undefined)}\n`);
}

/** Throws a `Refusal` (`usage`) for words that are no body. The service checks its members. */
function readBody(operation: string, words: readonly string[]): unknown {
  const [first = '{}', ...others] = words;
  if (!first.trimStart().startsWith('{')) return readPairs(operation, words);
  if (others.length > 0) throw wrongBody(others[0] ?? '');
  const parsed = parseStrictJson(Buffer.from(first));
  if (parsed.ok) return parsed.value;
  throw new Refusal('usage', `${operation}: ${parsed.problem}.`, 'See: payrun service admin');
}

/**
 * `ms=1000 code=GBP` as an object of texts, where a text that has to be something else by the operation's schema is read as
 * JSON.
 */
function readPairs(operation: string, words: readonly string[]): Record<string, unknown> {
  const texts: Record<string, unknown> = Object.create(null);
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw wrongBody(word);
    const name = word.slice(0, at);
    if (Object.hasOwn(texts, name)) throw new Refusal('usage', `${name} is given twice.`, 'Give it once.');
    texts[name] = word.slice(at + 1);
  }
  const schema = ADMIN_OPERATIONS.get(operation)?.schema;
  if (!schema) return texts;
  const literals = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, literal(String(text))]));
  const issues = schema.safeParse(texts).error?.issues ?? [];
  const wrong = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path[0]));
  const mixed = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, wrong.has(name) ? literals[name] : text]),
  );
  return [texts, mixed, literals].find((body) => schema.safeParse(body).success) ?? mixed;
}

function literal(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function wrongBody(word: string): Refusal {
  return new Refusal('usage', `${word} is neither key=value nor a JSON object.`, 'See: payrun service admin');
}

function listJson(): Record<string, { does: string; body: object }> {
  const operations = [...ADMIN_OPERATIONS].map(([name, { does, example }]) => [name, { does, body: example }] as const);
  return Object.fromEntries(operations);
}

function listText(): string {
  const lines = [...ADMIN_OPERATIONS].map(([name, { does, example }]) => {
    const pairs = Object.entries(example).map(([key, value]) => `${key}=${String(value)}`);
    return `${[name, ...pairs].join(' ').padEnd(72)}  ${does}\n`;
  });
  return `payrun service admin …\n\n${lines.join('')}`;
}
