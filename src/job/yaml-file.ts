import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { Refusal } from '../domain/refusal.ts';
import type { FileFault, FileProblem, InsteadOfKey } from '../domain/refusals/settings-faults.ts';
import { type FileKind, fileRefusal, type Place } from './placed-problem.ts';
import { schemaProblems } from './schema-problems.ts';
import { readYamlText, type YamlValue } from './yaml-text.ts';

/** A long job has some 10 KiB with its comments. */
export const YAML_BYTES_MAX = 256 * 1024;

/** The content of a file by a schema, or all that is wrong with it. */
export type YamlFile<Value> =
  | {
      ok: true;
      value: Value;
      /** As it stands in the file. */
      written: YamlValue;
      /** `FILE:LINE:COLUMN`. */
      whereIs(path: readonly PropertyKey[], part?: 'key' | 'value'): string;
      placeOf(path: readonly PropertyKey[]): Place;
    }
  | { ok: false; problems: FileProblem[] };

/** Reads a YAML file by a schema. Throws a `Refusal` (`usage`) for one that cannot be read at all. */
export function readYamlFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  noKeys: Readonly<Record<string, InsteadOfKey>> = {},
): YamlFile<z.output<Schema>> {
  const text = textOf(path);
  return typeof text === 'string' ? readYaml(text, schema, path, noKeys) : { ok: false, problems: [text] };
}

/** The same of a text, which `path` names. */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  path: string,
  noKeys: Readonly<Record<string, InsteadOfKey>> = {},
): YamlFile<z.output<Schema>> {
  const { value, problems, placeOf } = readYamlText(text);
  if (problems.length > 0) return { ok: false, problems: inOrder(problems) };
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const found = schemaProblems({ issues: parsed.error.issues, schema, value, placeOf, noKeys });
    return { ok: false, problems: inOrder(found) };
  }
  const whereIs = (at: readonly PropertyKey[], part?: 'key' | 'value') => whereText(path, placeOf(at, part));
  return { ok: true, value: parsed.data, written: value, whereIs, placeOf };
}

/** The same of a file that has to be right. Throws a `Refusal` (`usage`) with a line for each problem. */
export function requireYamlFile<Schema extends z.ZodType>(path: string, schema: Schema, kind: FileKind) {
  const read = readYamlFile(path, schema);
  if (read.ok) return read;
  throw fileRefusal(path, kind, read.problems);
}

function whereText(path: string, { line, column }: Place): string {
  return `${path}:${line}:${column}`;
}

function inOrder(problems: FileProblem[]): FileProblem[] {
  return problems.sort((a, b) => a.line - b.line || a.column - b.column);
}

function textOf(path: string): string | FileProblem {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Refusal({ code: 'settings_file_unreadable', path, fault: { why: 'no_plain_file' } });
    const begin = { line: 1, column: 1 };
    if (found.size > YAML_BYTES_MAX) return { ...begin, code: 'too_large', kibibytesMax: YAML_BYTES_MAX / 1024 };
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { ...begin, code: 'no_utf8' };
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    const fault: FileFault = isAbsent ? { why: 'absent' } : { why: 'unreadable', cause: message };
    throw new Refusal({ code: 'settings_file_unreadable', path, fault });
  }
}
