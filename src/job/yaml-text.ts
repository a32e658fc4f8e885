import {
  Composer,
  CST,
  type DocumentOptions,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
} from 'yaml';
import { type Place, type PlacedProblem, PROBLEMS_MAX, shown } from './placed-problem.ts';

/** Scalars are texts as they stand in the file, so that no number goes through a float and no zero is lost. */
export type YamlValue = string | boolean | null | YamlValue[] | { [key: string]: YamlValue };

/** The content of a YAML text, and where each part of it stands. */
export type YamlText = {
  /** Null where the text has problems of its own. */
  value: YamlValue;
  problems: PlacedProblem[];
  /** Where a value, or its key, stands; the nearest thing around it where there is none. */
  placeOf(path: readonly PropertyKey[], part?: 'key' | 'value'): Place;
};

/** A problem at an offset of the text. */
type Found = { at: number; message: string; remedy: string };

/**
 * Reads one document of YAML 1.2 without anchors, aliases, merge keys, tags and directives: nothing in the file can stand
 * for more than it shows. Keys are unique. `__proto__` is no key.
 */
export function readYamlText(text: string): YamlText {
  const lines = new LineCounter();
  const tokens: CST.Token[] = [...new Parser(lines.addNewLine).parse(text)];
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const placed = (found: readonly Found[]): PlacedProblem[] =>
    found.map(({ at, ...problem }) => ({ ...placeAt(at), ...problem }));
  const failed = (found: readonly Found[]): YamlText => ({
    value: null,
    problems: placed(found),
    placeOf: () => placeAt(0),
  });
  const structure = structureProblems(tokens);
  if (structure.length > 0) return failed(structure);
  const [document, second] = [...new Composer(OPTIONS).compose(tokens)];
  if (second !== undefined) return failed([{ at: second.range[0], ...ONE_DOCUMENT }]);
  if (document === undefined) return { value: {}, problems: [], placeOf: () => placeAt(0) };
  const faults = [...document.errors, ...document.warnings].slice(0, PROBLEMS_MAX);
  if (faults.length > 0) return failed(faults.map((fault) => ({ at: fault.pos[0], ...wordsOf(fault) })));
  const reader = new Reader();
  const value = reader.read(document.contents, []) ?? {};
  const placeOf: YamlText['placeOf'] = (path, part = 'value') => placeAt(reader.offsetOf(path, part));
  return { value, problems: placed(reader.problems), placeOf };
}

/** Texts, booleans and null alone. Unique keys are checked here: the package compares each with each. */
const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.2',
  schema: 'failsafe',
  customTags: ['null', 'bool'],
  uniqueKeys: false,
};

const ONE_DOCUMENT = { message: 'a second document begins here', remedy: 'keep one to a file, without ---' };

const REMEDIES: Readonly<Record<string, string>> = {
  BAD_INDENT: 'begin the keys of one level in one column',
  BLOCK_AS_IMPLICIT_KEY: 'put a text that has a colon in quotes',
  DUPLICATE_KEY: 'keep one of them',
  MISSING_CHAR: 'close what is opened, and put a blank behind each colon',
  MULTILINE_IMPLICIT_KEY: 'write a key and its value as `key: value`',
  TAB_AS_INDENT: 'indent with blanks',
};

function wordsOf({ code, message }: { code: string; message: string }): { message: string; remedy: string } {
  const remedy = REMEDIES[code] ?? 'check the indentation, the colons and the quotes';
  return { message: message.split('\n')[0] ?? 'this is not YAML', remedy };
}

/** A job has three levels; deeper ones are a mistake of indentation. */
const DEPTH_MAX = 32;

/** Keys, values and signs between them: some hundred times as many as a long job has. */
const TOKENS_MAX = 50_000;

const TOO_DEEP = { message: `more than ${DEPTH_MAX} levels`, remedy: 'check the indentation and the brackets' };
const TOO_MANY = { message: 'the file has more parts than a job', remedy: 'check that it is the right file' };

/** What no file may have, by the token that begins it. */
const REFUSED: Readonly<Record<string, { message: string; remedy: string }>> = {
  alias: {
    message: 'an alias (*name) stands for a value elsewhere',
    remedy: 'write the value out where it is needed',
  },
  anchor: {
    message: 'an anchor (&name) is for aliases, which are not read',
    remedy: 'write the value out where it is needed',
  },
  tag: { message: 'a tag (!name) changes how a value is read', remedy: 'leave it out; put a text in quotes' },
  directive: { message: 'a directive (%NAME) changes how the file is read', remedy: 'leave the line out' },
};

/**
 * What a YAML text must not have, found before anything is built of it: aliases and their anchors, tags, directives, and
 * more levels or parts than anybody writes. It descends no further than its limit, since the text may be a bomb.
 */
function structureProblems(tokens: readonly CST.Token[]): Found[] {
  const found: Found[] = [];
  let excess: Found | null = null;
  let count = 0;
  for (const token of tokens) {
    refuse([token], found);
    if (token.type !== 'document') continue;
    CST.visit(token, ({ start, key, sep, value }, path) => {
      const parts = [...start, ...(key ? [key] : []), ...(sep ?? []), ...(value ? [value] : [])];
      refuse(parts, found);
      count += parts.length;
      const at = (key ?? value ?? parts[0])?.offset ?? token.offset;
      if (path.length > DEPTH_MAX) excess = { at, ...TOO_DEEP };
      else if (count > TOKENS_MAX) excess = { at, ...TOO_MANY };
      return excess === null ? undefined : CST.visit.BREAK;
    });
    if (excess !== null) return [excess];
  }
  return found;
}

function refuse(tokens: readonly CST.Token[], found: Found[]): void {
  for (const { type, offset } of tokens) {
    const refused = REFUSED[type];
    if (refused !== undefined) found.push({ at: offset, ...refused });
  }
}

class Reader {
  readonly problems: Found[] = [];
  readonly #places = new Map<string, { key: number; value: number }>();

  /** Only after the structure was found to be no deeper than its limit. */
  read(node: unknown, path: readonly string[]): YamlValue {
    if (isMap(node)) return this.#map(node, path);
    if (isSeq(node)) {
      return node.items.map((item, at) => {
        const begin = beginOf(item) ?? beginOf(node) ?? 0;
        return this.#inner(item, [...path, String(at)], { key: begin, value: begin });
      });
    }
    if (!isScalar(node)) return null;
    const value = node.value as string | boolean | null;
    if (typeof value === 'string' && SECRETS.test(value))
      this.problems.push({ at: beginOf(node) ?? 0, ...SECRET_HERE });
    return value;
  }

  offsetOf(path: readonly PropertyKey[], part: 'key' | 'value'): number {
    const texts = path.map(String);
    const place = this.#places.get(JSON.stringify(texts));
    if (place !== undefined) return place[part];
    return texts.length === 0 ? 0 : this.offsetOf(texts.slice(0, -1), 'key');
  }

  #map(node: { items: readonly { key: unknown; value: unknown }[] }, path: readonly string[]): YamlValue {
    const read: Record<string, YamlValue> = Object.create(null);
    for (const { key, value } of node.items) {
      const at = beginOf(key) ?? beginOf(node) ?? 0;
      const name = keyText(key);
      if (name === null || name === '__proto__') this.problems.push({ at, ...NO_KEY });
      else if (Object.hasOwn(read, name)) this.problems.push({ at, ...twice(name) });
      else {
        const begin = isScalar(value) && value.value === null ? at : (beginOf(value) ?? at);
        read[name] = this.#inner(value, [...path, name], { key: at, value: begin });
      }
    }
    return read;
  }

  #inner(node: unknown, path: readonly string[], place: { key: number; value: number }): YamlValue {
    this.#places.set(JSON.stringify(path), place);
    return this.read(node, path);
  }
}

const NO_KEY = { message: 'this is no key', remedy: 'write a word before the colon' };

function twice(name: string): { message: string; remedy: string } {
  return { message: `the key ${shown(name)} is given twice`, remedy: 'keep one of them' };
}

/** A text that begins like this opens something, and everybody who reads the file could use it. */
const SECRETS =
  /-----BEGIN [A-Z ]*PRIVATE KEY|^\s*(?:whsec_|AGE-SECRET-KEY-|MC4CAQAwBQYDK2Vw|smtps?:\/\/[^\s/@]*:[^\s@]*@)/i;

/** The text itself is not repeated. */
const SECRET_HERE = {
  message: 'a secret does not belong in this file',
  remedy: 'write where it is (env:NAME, file:PATH, the path of a key file), and make a new one',
};

/** A key as it stands in the file: `true` is a word there. */
function keyText(key: unknown): string | null {
  if (!isScalar(key) || key.value === null) return null;
  return typeof key.value === 'string' ? key.value : (key.source ?? null);
}

function beginOf(node: unknown): number | null {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range?.[0] ?? null;
}
