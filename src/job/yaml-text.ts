import { Composer, type CST, isMap, isScalar, isSeq, LineCounter, Parser } from 'yaml';
import { type Place, type PlacedProblem, PROBLEMS_MAX, shown } from './placed-problem.ts';
import { secretProblem } from './secrets.ts';
import { type Found, structureProblems } from './yaml-structure.ts';

/** Scalars are texts as they stand in the file, so that no number goes through a float and no zero is lost. */
export type YamlValue = string | boolean | null | YamlValue[] | { [key: string]: YamlValue };

/** What a YAML text says, and where each part of it stands. */
export type YamlText = {
  /** Null where the text has problems of its own. */
  value: YamlValue;
  problems: PlacedProblem[];
  /** Where a value, or its key, stands; the nearest thing around it where there is none. */
  placeOf(path: readonly PropertyKey[], part?: 'key' | 'value'): Place;
};

/**
 * Reads one document of YAML 1.2, core schema, without anchors, aliases, merge keys, tags and directives: nothing in the
 * file can stand for more than it shows. Keys are unique. `__proto__` is no key.
 */
export function readYamlText(text: string): YamlText {
  const lines = new LineCounter();
  const tokens: CST.Token[] = [...new Parser(lines.addNewLine).parse(text)];
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const begin = { line: 1, column: 1 };
  const failed = (found: readonly Found[]): YamlText => ({
    value: null,
    problems: found.map(({ at, message, remedy }) => ({ ...placeAt(at), message, remedy })),
    placeOf: () => begin,
  });
  const structure = structureProblems(tokens);
  if (structure.length > 0) return failed(structure);
  const documents = [...new Composer(OPTIONS).compose(tokens)];
  const [document, second] = documents;
  if (second !== undefined) return failed([{ at: second.range[0], ...ONE_DOCUMENT }]);
  if (document === undefined) return { value: {}, problems: [], placeOf: () => begin };
  const faults = [...document.errors, ...document.warnings].slice(0, PROBLEMS_MAX);
  if (faults.length > 0) return failed(faults.map((fault) => ({ at: fault.pos[0], ...wordsOf(fault) })));
  const reader = new Reader();
  const value = reader.read(document.contents, []) ?? {};
  const problems = failed(reader.problems).problems;
  return { value, problems, placeOf: (path, part = 'value') => placeAt(reader.offsetOf(path, part)) };
}

/** Unique keys are looked at here: the package compares each with each. */
const OPTIONS = { version: '1.2', schema: 'core', merge: false, uniqueKeys: false } as const;

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
  const remedy = REMEDIES[code] ?? 'look at the indentation, the colons and the quotes';
  return { message: message.split('\n')[0] ?? 'this is no YAML', remedy };
}

class Reader {
  readonly problems: Found[] = [];
  readonly #places = new Map<string, { key: number; value: number }>();

  /** Only after the structure was found to be no deeper than its limit. */
  read(node: unknown, path: readonly string[]): YamlValue {
    if (isMap(node)) return this.#map(node, path);
    if (isSeq(node))
      return node.items.map((item, at) => {
        const inner = [...path, String(at)];
        const begin = beginOf(item) ?? beginOf(node) ?? 0;
        this.#places.set(JSON.stringify(inner), { key: begin, value: begin });
        return this.read(item, inner);
      });
    if (!isScalar(node)) return null;
    const { value, source } = node;
    if (value === null || typeof value === 'boolean') return value;
    const text = typeof value === 'string' ? value : (source ?? String(value));
    const secret = secretProblem(text);
    if (secret !== null) this.problems.push({ at: beginOf(node) ?? 0, ...secret });
    return text;
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
        const inner = [...path, name];
        const begin = isScalar(value) && value.value === null ? at : (beginOf(value) ?? at);
        this.#places.set(JSON.stringify(inner), { key: at, value: begin });
        read[name] = this.read(value, inner);
      }
    }
    return read;
  }
}

const NO_KEY = { message: 'this is no key', remedy: 'write a word before the colon' };

function twice(name: string): { message: string; remedy: string } {
  return { message: `the key ${shown(name)} stands here a second time`, remedy: 'keep one of them' };
}

/** A key as it stands in the file: `2026` and `true` are words there. */
function keyText(key: unknown): string | null {
  if (!isScalar(key) || key.value === null) return null;
  return typeof key.value === 'string' ? key.value : (key.source ?? null);
}

function beginOf(node: unknown): number | null {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range?.[0] ?? null;
}
