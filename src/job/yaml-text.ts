import { createRequire } from 'node:module';
import type { CST, DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';
import { onFirstUse } from '../domain/lazy/on-first-use.ts';
import type { FileProblem, TextFault } from '../domain/refusals/settings-faults.ts';
import { type Place, PROBLEMS_MAX } from './placed-problem.ts';

/** Loaded with the first file: most commands read none, and its seventy modules would be a part of every start. */
const yaml = onFirstUse((): typeof import('yaml') => createRequire(import.meta.url)('yaml'));

/** Scalars are texts as they stand in the file, so that no number goes through a float and no zero is lost. */
export type YamlValue = string | boolean | null | YamlValue[] | { [key: string]: YamlValue };

/** The content of a YAML text, and where each part of it stands. */
export type YamlText = {
  /** Null where the text has problems of its own. */
  value: YamlValue;
  problems: FileProblem[];
  /** Where a value, or its key, stands; the nearest thing around it where there is none. */
  placeOf(path: readonly PropertyKey[], part?: 'key' | 'value'): Place;
};

/** A problem at an offset of the text. */
type Found = { at: number; fault: TextFault };

/**
 * Reads one document of YAML 1.2 without anchors, aliases, merge keys, tags and directives: nothing in the file can stand
 * for more than it shows. Keys are unique. `__proto__` is no key.
 */
export function readYamlText(text: string): YamlText {
  const { Composer, LineCounter, Parser } = yaml();
  const lines = new LineCounter();
  const tokens: CST.Token[] = [...new Parser(lines.addNewLine).parse(text)];
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const placed = (found: readonly Found[]): FileProblem[] =>
    found.map(({ at, fault }) => ({ ...placeAt(at), ...fault }));
  const failed = (found: readonly Found[]): YamlText => ({
    value: null,
    problems: placed(found),
    placeOf: () => placeAt(0),
  });
  const structure = structureProblems(tokens);
  if (structure.length > 0) return failed(structure);
  const [document, second] = [...new Composer(OPTIONS).compose(tokens)];
  if (second !== undefined) return failed([{ at: second.range[0], fault: { code: 'second_document' } }]);
  if (document === undefined) return { value: {}, problems: [], placeOf: () => placeAt(0) };
  const faults = [...document.errors, ...document.warnings].slice(0, PROBLEMS_MAX);
  if (faults.length > 0) return failed(faults.map(foundBy));
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

/** What the package finds, without the lines of the file that it repeats. */
function foundBy({ code, message, pos }: { code: string; message: string; pos: [number, number] }): Found {
  return { at: pos[0], fault: { code: 'no_yaml', error: code, cause: message.split('\n')[0] ?? '' } };
}

/** A job has three levels; deeper ones are a mistake of indentation. */
const DEPTH_MAX = 32;

/** Keys, values and signs between them: some hundred times as many as a long job has. */
const TOKENS_MAX = 50_000;

/** What no file may have, by the token that begins it. */
const REFUSED = ['alias', 'anchor', 'tag', 'directive'] as const;

/**
 * What a YAML text must not have, found before anything is built of it: aliases and their anchors, tags, directives, and
 * more levels or parts than anybody writes. It descends no further than its limit, since the text may be a bomb.
 */
function structureProblems(tokens: readonly CST.Token[]): Found[] {
  const { visit } = yaml().CST;
  const found: Found[] = [];
  let excess: Found | null = null;
  let count = 0;
  for (const token of tokens) {
    refuse([token], found);
    if (token.type !== 'document') continue;
    visit(token, ({ start, key, sep, value }, path) => {
      const parts = [...start, ...(key ? [key] : []), ...(sep ?? []), ...(value ? [value] : [])];
      refuse(parts, found);
      count += parts.length;
      const at = (key ?? value ?? parts[0])?.offset ?? token.offset;
      if (path.length > DEPTH_MAX) excess = { at, fault: { code: 'too_deep', levelsMax: DEPTH_MAX } };
      else if (count > TOKENS_MAX) excess = { at, fault: { code: 'too_many_parts' } };
      return excess === null ? undefined : visit.BREAK;
    });
    if (excess !== null) return [excess];
  }
  return found;
}

function refuse(tokens: readonly CST.Token[], found: Found[]): void {
  for (const { type, offset } of tokens) {
    const code = REFUSED.find((one) => one === type);
    if (code !== undefined) found.push({ at: offset, fault: { code } });
  }
}

class Reader {
  readonly problems: Found[] = [];
  readonly #places = new Map<string, { key: number; value: number }>();

  /** Only after the structure was found to be no deeper than its limit. */
  read(node: unknown, path: readonly string[]): YamlValue {
    const { isMap, isScalar, isSeq } = yaml();
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
      this.problems.push({ at: beginOf(node) ?? 0, fault: { code: 'secret_in_file' } });
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
      if (name === null || name === '__proto__') this.problems.push({ at, fault: { code: 'no_key' } });
      else if (Object.hasOwn(read, name)) this.problems.push({ at, fault: { code: 'key_twice', name } });
      else {
        const begin = yaml().isScalar(value) && value.value === null ? at : (beginOf(value) ?? at);
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

/** A text that begins like this opens something, and everybody who reads the file could use it. It is not repeated. */
const SECRETS =
  /-----BEGIN [A-Z ]*PRIVATE KEY|^\s*(?:whsec_|AGE-SECRET-KEY-|MC4CAQAwBQYDK2Vw|smtps?:\/\/[^\s/@]*:[^\s@]*@)/i;

/** A key as it stands in the file: `true` is a word there. */
function keyText(key: unknown): string | null {
  if (!yaml().isScalar(key) || key.value === null) return null;
  return typeof key.value === 'string' ? key.value : (key.source ?? null);
}

function beginOf(node: unknown): number | null {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range?.[0] ?? null;
}
