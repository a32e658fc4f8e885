import type { z } from 'zod';
import {
  type FileProblem,
  FORMS,
  type Form,
  type InsteadOfKey,
  type ValueFault,
  type Wanted,
} from '../domain/refusals/settings-faults.ts';
import { nearestKey } from './nearest-key.ts';
import type { Place } from './placed-problem.ts';
import type { YamlValue } from './yaml-text.ts';

/** What a check of ours finds: a fault, or that the value cannot be what it is. */
export type Found = ValueFault | { wanted: Wanted };

/** `path`: below the value that is checked. `isKey`: the place is that of the key. */
type At = { path?: PropertyKey[]; isKey?: boolean };

type Params = { found: Found; isKey?: boolean };

type Context = { addIssue(issue: { code: 'custom'; params: Params; path?: PropertyKey[] }): void };

export function addProblem(context: Context, found: Found, { path, ...at }: At = {}): void {
  context.addIssue({ code: 'custom', params: { found, ...at }, ...(path && { path }) });
}

/** How a value is to be written, as a check of zod that takes a message carries it. */
export function form(of: Form): Form {
  return of;
}

/** The same for a check that takes parameters. */
export function wanting(wanted: Wanted): { params: Params } {
  return { params: { found: { wanted } } };
}

/** How the value of an issue is to be written. */
export function wantedOf(issue: z.core.$ZodIssue): Wanted {
  const found = paramsOf(issue)?.found;
  if (found !== undefined && 'wanted' in found) return found.wanted;
  const known = FORMS.find((one) => one === issue.message);
  if (known !== undefined) return { form: known };
  if (issue.code === 'invalid_type' && issue.expected === 'array') return { form: 'list' };
  if (issue.code === 'too_small' && issue.origin === 'array') return { form: 'one_at_least' };
  if (issue.code === 'too_big' && (issue.origin === 'string' || issue.origin === 'array'))
    return { form: 'at_most', max: Number(issue.maximum), of: issue.origin === 'string' ? 'letters' : 'entries' };
  return { form: 'noted', text: issue.message };
}

type Checked = {
  issues: readonly z.core.$ZodIssue[];
  schema: z.core.$ZodType;
  value: YamlValue;
  placeOf(path: readonly PropertyKey[], part?: 'key' | 'value'): Place;
  /** What to do instead of a key that people expect at the top of the file. */
  noKeys: Readonly<Record<string, InsteadOfKey>>;
};

/** What a schema finds in a file: where it is, what stands there, what to write. */
export function schemaProblems(checked: Checked): FileProblem[] {
  return checked.issues.flatMap((issue): FileProblem[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(checked, issue.path, key));
    return [{ ...placeOfIssue(checked, issue), key: issue.path.map(String).join('.'), ...valueFault(checked, issue) }];
  });
}

function unknownKey({ placeOf, noKeys, schema }: Checked, path: readonly PropertyKey[], name: string): FileProblem {
  const known = Object.keys(shapeOf(schemaAt(schema, path)) ?? {});
  const instead = (path.length === 0 ? noKeys[name] : undefined) ?? (name === '<<' ? 'write_out' : null);
  const key = [...path, name].map(String).join('.');
  const place = placeOf([...path, name], 'key');
  return { ...place, key, code: 'unknown_key', instead, nearest: nearestKey(name, known), known };
}

function placeOfIssue({ value, placeOf }: Checked, issue: z.core.$ZodIssue): Place {
  const isOfKey = valueAt(value, issue.path) === undefined || paramsOf(issue)?.isKey;
  return placeOf(issue.path, isOfKey ? 'key' : 'value');
}

function valueFault({ value: root, schema }: Checked, issue: z.core.$ZodIssue): ValueFault {
  const found = paramsOf(issue)?.found;
  if (found !== undefined && 'code' in found) return found;
  const value = valueAt(root, issue.path);
  if (value === undefined) {
    const description = (schemaAt(schema, issue.path) as z.ZodType | null)?.description;
    return { code: 'missing_key', description: description ?? null };
  }
  if (value === null || value === '') return { code: 'empty_value' };
  const isOfKind = issue.code !== 'invalid_type' && issue.code !== 'invalid_union';
  if (!isOfKind) return kindFault(value, issue);
  const isOneOf = issue.code === 'invalid_value';
  const wanted = isOneOf ? ({ form: 'one_of', values: issue.values.map(String) } as const) : wantedOf(issue);
  return { code: 'wrong_value', value: textOf(value), wanted };
}

/** What `addProblem` was given; null for an issue that zod made. */
function paramsOf(issue: z.core.$ZodIssue): Params | null {
  return issue.code === 'custom' && issue.params?.found !== undefined ? (issue.params as Params) : null;
}

const OLD_FLAG = /^(?:y|yes|n|no|on|off)$/i;

/** Something of another kind stands there. */
function kindFault(value: YamlValue, issue: z.core.$ZodIssue): ValueFault {
  const expected = issue.code === 'invalid_type' ? issue.expected : null;
  if (typeof value === 'boolean') return { code: 'truth_value', value };
  if (expected === 'boolean' && typeof value === 'string')
    return { code: 'no_truth_value', value, isOldFlag: OLD_FLAG.test(value) };
  const areKeysWanted = expected === 'object' || expected === 'record';
  const wanted: Wanted = areKeysWanted ? { form: 'keys' } : wantedOf(issue);
  const instead: Wanted = expected === 'string' ? { form: 'one_value' } : wanted;
  if (Array.isArray(value)) return { code: 'list_value', wanted: instead };
  if (typeof value === 'object') return { code: 'keys_value', wanted: instead };
  return { code: 'wrong_value', value: textOf(value), wanted };
}

/** Null for what is not one text. */
function textOf(value: YamlValue): string | null {
  return typeof value === 'object' ? null : String(value);
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
