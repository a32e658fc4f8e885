import type { z } from 'zod';
import { addedProblem } from './add-problem.ts';
import { nearestKey } from './nearest-key.ts';
import { type Place, type PlacedProblem, shown } from './placed-problem.ts';
import type { YamlValue } from './yaml-text.ts';

type Checked = {
  issues: readonly z.core.$ZodIssue[];
  schema: z.core.$ZodType;
  value: YamlValue;
  placeOf(path: readonly PropertyKey[], part?: 'key' | 'value'): Place;
  /** What to do instead of a key that people look for at the top of the file. */
  noKeys: Readonly<Record<string, string>>;
};

/** What a schema finds in a file, in the words of the file: where it is, what stands there, what to write. */
export function schemaProblems(checked: Checked): PlacedProblem[] {
  return checked.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownKey(checked, issue.path, key))
      : [valueProblem(checked, issue)],
  );
}

function unknownKey(checked: Checked, path: readonly PropertyKey[], key: string): PlacedProblem {
  const place = checked.placeOf([...path, key], 'key');
  const message = `there is no key ${[...path, key].map(String).join('.')}`;
  const instead = path.length === 0 ? checked.noKeys[key] : undefined;
  if (instead !== undefined) return { ...place, message, remedy: instead };
  if (key === '<<') return { ...place, message, remedy: 'keys are not merged: write out what is needed' };
  const known = Object.keys(shapeOf(schemaAt(checked.schema, path)) ?? {});
  const nearest = nearestKey(key, known);
  return {
    ...place,
    message,
    remedy: nearest === null ? `the keys here are ${known.join(', ')}` : `did you mean ${nearest}?`,
  };
}

function valueProblem({ value: root, placeOf, schema }: Checked, issue: z.core.$ZodIssue): PlacedProblem {
  const name = issue.path.map(String).join('.') || 'the file';
  const value = valueAt(root, issue.path);
  const added = addedProblem(issue);
  const place = placeOf(issue.path, value === undefined || added?.isKey ? 'key' : 'value');
  if (added?.what !== undefined) return { ...place, message: `${name} ${added.what}`, remedy: added.remedy };
  if (value === undefined) {
    const description = (schemaAt(schema, issue.path) as z.ZodType | null)?.description;
    return { ...place, message: `${name} is missing`, remedy: description ? `add it: ${description}` : 'add it' };
  }
  if (value === null || value === '')
    return { ...place, message: `${name} is empty`, remedy: 'give it a value, or take the key out' };
  const remedy = added?.remedy ?? remedyOf(issue);
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') {
    const [what, instead] = kindWords(value, issue);
    return { ...place, message: `${name} ${what}`, remedy: instead ?? remedy };
  }
  const what = added?.isHidden ? 'does not belong here as it is' : `cannot be ${textOf(value)}`;
  return { ...place, message: `${name} ${what}`, remedy };
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

function remedyOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `write one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}

function textOf(value: YamlValue | undefined): string {
  return typeof value === 'object' ? 'this' : shown(String(value));
}

function valueAt(root: YamlValue, path: readonly PropertyKey[]): YamlValue | undefined {
  let value: YamlValue | undefined = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, YamlValue>)[key];
  }
  return value;
}

function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | null {
  let inner: z.core.$ZodType | null = schema;
  for (const key of path) inner = typeof key === 'number' ? elementOf(inner) : (shapeOf(inner)?.[String(key)] ?? null);
  return inner;
}

/** What a list is of, through what is wrapped around it. */
function elementOf(schema: z.core.$ZodType | null): z.core.$ZodType | null {
  if (schema === null) return null;
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'array':
      return def.element;
    case 'optional':
      return elementOf(def.innerType);
    case 'pipe':
      return elementOf(def.in);
    default:
      return null;
  }
}

/** The keys of a schema for objects, through what is wrapped around it. */
function shapeOf(schema: z.core.$ZodType | null): Readonly<Record<string, z.core.$ZodType>> | null {
  if (schema === null) return null;
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      return def.shape;
    case 'optional':
    case 'nullable':
      return shapeOf(def.innerType);
    case 'pipe':
      return shapeOf(def.in);
    case 'union':
      return def.options.map(shapeOf).find((shape) => shape !== null) ?? null;
    default:
      return null;
  }
}
