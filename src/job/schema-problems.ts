import type { z } from 'zod';
import { nearestKey } from './nearest-key.ts';
import { type Place, type PlacedProblem, shown } from './placed-problem.ts';
import type { YamlValue } from './yaml-text.ts';

/** A problem that a schema of ours finds. Where the value alone is wrong, `.refine(check, remedy)` does the same. */
export type SchemaProblem = {
  /** What to write. */
  remedy: string;
  /** What is wrong, behind the name of the key; without it, that the value cannot be what it is. */
  what?: string;
  /** Below the value that is checked. */
  path?: PropertyKey[];
  /** The place is that of the key. */
  isKey?: boolean;
};

type Context = { addIssue(issue: { code: 'custom'; message: string; params: object; path?: PropertyKey[] }): void };

export function addProblem(context: Context, { path, ...problem }: SchemaProblem): void {
  context.addIssue({ code: 'custom', message: problem.remedy, params: problem, ...(path && { path }) });
}

type Checked = {
  issues: readonly z.core.$ZodIssue[];
  schema: z.core.$ZodType;
  value: YamlValue;
  placeOf(path: readonly PropertyKey[], part?: 'key' | 'value'): Place;
  /** What to do instead of a key that people expect at the top of the file. */
  noKeys: Readonly<Record<string, string>>;
};

/** What a schema finds in a file, in the words of the file: where it is, what stands there, what to write. */
export function schemaProblems(checked: Checked): PlacedProblem[] {
  return checked.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownKey(checked, issue.path, key))
      : [{ ...placeOfIssue(checked, issue), ...valueProblem(checked, issue) }],
  );
}

function unknownKey({ placeOf, noKeys, schema }: Checked, path: readonly PropertyKey[], key: string): PlacedProblem {
  const place = placeOf([...path, key], 'key');
  const message = `there is no key ${[...path, key].map(String).join('.')}`;
  const instead = path.length === 0 ? noKeys[key] : undefined;
  if (instead !== undefined) return { ...place, message, remedy: instead };
  if (key === '<<') return { ...place, message, remedy: 'keys are not merged: write out what is needed' };
  const known = Object.keys(shapeOf(schemaAt(schema, path)) ?? {});
  const nearest = nearestKey(key, known);
  const remedy = nearest === null ? `the keys here are ${known.join(', ')}` : `did you mean ${nearest}?`;
  return { ...place, message, remedy };
}

function placeOfIssue({ value, placeOf }: Checked, issue: z.core.$ZodIssue): Place {
  const isOfKey = valueAt(value, issue.path) === undefined || problemOf(issue)?.isKey;
  return placeOf(issue.path, isOfKey ? 'key' : 'value');
}

function valueProblem({ value: root, schema }: Checked, issue: z.core.$ZodIssue): { message: string; remedy: string } {
  const name = issue.path.map(String).join('.') || 'the file';
  const value = valueAt(root, issue.path);
  const problem = problemOf(issue);
  if (problem?.what !== undefined) return { message: `${name} ${problem.what}`, remedy: problem.remedy };
  if (value === undefined) {
    const description = (schemaAt(schema, issue.path) as z.ZodType | null)?.description;
    return { message: `${name} is missing`, remedy: description ? `add it: ${description}` : 'add it' };
  }
  if (value === null || value === '')
    return { message: `${name} is empty`, remedy: 'give it a value, or take the key out' };
  const remedy = issue.code === 'invalid_value' ? `write one of ${issue.values.map(String).join(', ')}` : issue.message;
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union')
    return { message: `${name} cannot be ${textOf(value)}`, remedy };
  const [what, instead] = kindWords(value, issue);
  return { message: `${name} ${what}`, remedy: instead ?? remedy };
}

/** What `addProblem` was given; null for an issue that zod made. */
function problemOf(issue: z.core.$ZodIssue): SchemaProblem | null {
  return issue.code === 'custom' && issue.params?.remedy !== undefined ? (issue.params as SchemaProblem) : null;
}

/** What stands where something of another kind belongs; and what to do, where that follows from it. */
function kindWords(value: YamlValue, issue: z.core.$ZodIssue): [what: string, remedy: string | null] {
  const expected = issue.code === 'invalid_type' ? issue.expected : null;
  if (typeof value === 'boolean') return [`is the truth value ${value}`, 'put it in quotes if it is a word'];
  if (expected === 'boolean' && typeof value === 'string') {
    const isOldFlag = /^(?:y|yes|n|no|on|off)$/i.test(value);
    const why = isOldFlag ? ': in YAML 1.2 yes, no, on and off are words' : '';
    return [`is the text ${shown(value)}`, `write true or false${why}`];
  }
  const keysWanted = expected === 'object' || expected === 'record' ? KEYS_WANTED : null;
  if (Array.isArray(value)) return ['is a list', expected === 'string' ? 'write one value' : keysWanted];
  if (typeof value === 'object') return ['has keys of its own', expected === 'string' ? 'write one value' : null];
  return [`cannot be ${textOf(value)}`, keysWanted];
}

const KEYS_WANTED = 'write keys, each in a line with its value, as `key: value`';

function textOf(value: YamlValue): string {
  return typeof value === 'object' ? 'this' : shown(String(value));
}

function valueAt(root: YamlValue, path: readonly PropertyKey[]): YamlValue | undefined {
  let value: YamlValue | undefined = root;
  for (const key of path) value = (value as Record<PropertyKey, YamlValue> | null | undefined)?.[key];
  return value;
}

function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | null {
  let inner: z.core.$ZodType | null = schema;
  for (const key of path) {
    const def = bareOf(inner);
    inner = def?.type === 'array' ? def.element : (shapeOf(inner)?.[String(key)] ?? null);
  }
  return inner;
}

/** The keys of a schema for objects. */
function shapeOf(schema: z.core.$ZodType | null): Readonly<Record<string, z.core.$ZodType>> | null {
  const def = bareOf(schema);
  return def?.type === 'object' ? def.shape : null;
}

/** A schema without what is wrapped around it; of a union that of its object. */
function bareOf(schema: z.core.$ZodType | null): z.core.$ZodTypes['_zod']['def'] | null {
  if (schema === null) return null;
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return bareOf(def.innerType);
    case 'pipe':
      return bareOf(def.in);
    case 'union':
      return def.options.map(bareOf).find((option) => option?.type === 'object') ?? null;
    default:
      return def;
  }
}
