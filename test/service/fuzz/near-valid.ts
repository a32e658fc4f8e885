import fc from 'fast-check';
import type { z } from 'zod';

/** Texts, numbers and whole objects that mean something, by the name of the field in which they do. */
export type Dictionary = Readonly<Record<string, readonly unknown[]>>;

type Definition = {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, unknown>;
  values?: unknown[];
  in?: z.ZodType;
};

/**
 * Values of a schema's own shape: its fields, its enumerations, numbers near its bounds, and for texts what the
 * dictionary has under the name of the field. They need not be accepted: what a schema says by rules is left to luck.
 */
export function valuesOf(schema: z.ZodType, dictionary: Dictionary, name = ''): fc.Arbitrary<unknown> {
  const definition = schema._zod.def as unknown as Definition;
  const inside = (inner: z.ZodType | undefined) => valuesOf(inner as z.ZodType, dictionary, name);
  switch (definition.type) {
    case 'object': {
      const fields = fieldsOf(definition.shape ?? {}, dictionary);
      const known = dictionary[name];
      return known ? fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 3 }, fields) : fields;
    }
    case 'optional':
    case 'default':
    case 'readonly':
      return inside(definition.innerType);
    case 'nullable':
      return fc.oneof({ arbitrary: inside(definition.innerType), weight: 4 }, fc.constant(null));
    case 'pipe':
      return inside(definition.in);
    case 'array':
      return fc.array(inside(definition.element), { maxLength: 3 });
    case 'union':
      return fc.oneof(...(definition.options ?? []).map(inside));
    case 'enum':
      return fc.constantFrom(...Object.values(definition.entries ?? {}));
    case 'literal':
      return fc.constantFrom(...(definition.values ?? []));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.oneof(fc.constantFrom(...numbersOf(dictionary, name)), fc.integer({ min: -1, max: 600 }), fc.double());
    default:
      return textsOf(dictionary, name);
  }
}

function fieldsOf(shape: Record<string, z.ZodType>, dictionary: Dictionary): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.keys(shape).map((key) => [key, valuesOf(shape[key] as z.ZodType, dictionary, key)]),
  );
  const requiredKeys = Object.keys(shape).filter((key) => !(shape[key] as z.ZodType).safeParse(undefined).success);
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

function numbersOf(dictionary: Dictionary, name: string): number[] {
  const known = (dictionary[name] ?? []).filter((value) => typeof value === 'number');
  return known.length > 0 ? known : [1, 0, 2];
}

function textsOf(dictionary: Dictionary, name: string): fc.Arbitrary<unknown> {
  const known = dictionary[name];
  const any = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constantFrom('', 'x', '0'));
  return known ? fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 4 }, any) : any;
}

/** What replaces a value, or stands beside it: every type, sizes at and over the limits, texts that break parsers. */
const LEAVES: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, -0, 1.5, 1e21, 2 ** 53, 5e-324, [], {}, '', ' ', '0', '-1', '1e3'),
  fc.constantFrom('9'.repeat(38), '1'.repeat(39), 'x'.repeat(201), 'x'.repeat(100_000), 'constructor', '__proto__'),
  fc.constantFrom(
    '\u0000',
    '\u202e',
    '\ufeff',
    'e\u0301',
    '🏴‍☠️',
    "'; DROP TABLE transfer; --",
    '%',
    '_',
    '{{1}}',
    '\r\nx: y',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double(),
  fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
);
const KEYS = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    'id',
    'metadata',
    'value',
    'chain',
    '0',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

type Mutation = { at: number; how: 'leave-out' | 'replace' | 'add' | 'wrap' | 'repeat'; key: string; leaf: unknown };

const MUTATIONS: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(10_000),
  how: fc.constantFrom('leave-out', 'replace', 'add', 'wrap', 'repeat'),
  key: KEYS,
  leaf: LEAVES,
});

/** A value as it is, or with one or two things wrong with it anywhere. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const some = fc.oneof(
    { arbitrary: fc.constant([]), weight: 2 },
    { arbitrary: fc.array(MUTATIONS, { minLength: 1, maxLength: 2 }), weight: 3 },
  );
  return fc.tuple(values, some).map(([value, mutations]) => mutations.reduce(mutate, value));
}

type Path = readonly string[];

/** The places of a value, the whole one first. */
export function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))];
}

/** The places of the texts in a value. */
export function textPlacesOf(value: unknown): Path[] {
  return placesOf(value).filter((path) => typeof valueAt(value, path) === 'string');
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

/** A copy in which `change` was made at that place; undefined leaves it out. */
export function changedAt(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) };
  copy[key] = changedAt(copy[key], rest, change);
  return copy;
}

function mutate(value: unknown, { at, how, key, leaf }: Mutation): unknown {
  const places = placesOf(value);
  const place = places[at % places.length] ?? [];
  return changedAt(value, place, (old) => {
    switch (how) {
      case 'leave-out':
        return undefined;
      case 'replace':
        return leaf;
      case 'wrap':
        return [old];
      case 'repeat':
        return [old, old];
      case 'add': {
        if (typeof old !== 'object' || old === null) return { [key]: old };
        const copy = { ...old };
        // Not by assignment: `__proto__` has to become a field of its own, as JSON can write it.
        Object.defineProperty(copy, key, { value: leaf, enumerable: true });
        return copy;
      }
    }
  });
}
