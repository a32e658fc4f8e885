import { readFileSync, statSync } from 'node:fs';
import type { ModulusTable } from '../../domain/rails/fields/gbp-modulus.ts';
import { Refusal } from '../../domain/refusal.ts';
import { parseModulusSubstitutions, parseModulusWeights } from '../../input/cells/modulus-table.ts';
import type { DefaultRails } from '../../input/cells/rail-cells.ts';
import type { ControlFigures } from '../../input/checks/control-figures.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { Encoding } from '../../input/source/encoding/encodings.ts';

/** How an input is to be read, where its file leaves that open. */
export type ReadSettings = {
  decimal?: '.' | ',' | undefined;
  /** Of rows that name none. */
  currency?: string | undefined;
  defaultRail?: DefaultRails | undefined;
  sheet?: string | undefined;
  encoding?: Encoding | undefined;
  foldReferences?: boolean | undefined;
  expectCount?: number | undefined;
  expectTotal?: ControlFigures['totals'] | undefined;
} & ModulusFiles;

/** Throws a Refusal (kind `usage`) where a file that the settings name cannot be read. */
export function readOptions(settings: ReadSettings): ReadOptions {
  const { decimal, defaultRail, sheet, foldReferences, encoding, expectCount, expectTotal } = settings;
  const expected = { count: expectCount ?? null, totals: expectTotal ?? new Map<string, bigint>() };
  const modulus = readModulusTable(settings);
  return {
    ...(decimal !== undefined && { decimal }),
    ...(defaultRail !== undefined && { defaultRails: defaultRail }),
    ...(sheet !== undefined && { sheet }),
    ...(foldReferences === true && { foldReferences }),
    ...(encoding !== undefined && { encoding }),
    ...((expected.count !== null || expected.totals.size > 0) && { expected }),
    ...(modulus !== null && { modulus }),
  };
}

/** Ten times what Pay.UK's table takes. */
const BYTES_MAX = 1024 * 1024;

export type ModulusFiles = { modulusTable?: string | undefined; modulusSubstitutions?: string | undefined };

/** The table by which accounts in the UK are checked, or null where none is given. Throws a Refusal (kind `usage`). */
export function readModulusTable({ modulusTable, modulusSubstitutions }: ModulusFiles): ModulusTable | null {
  if (modulusTable !== undefined)
    return {
      ranges: parseModulusWeights(readText(modulusTable, 'table'), modulusTable),
      substitutions:
        modulusSubstitutions === undefined
          ? null
          : parseModulusSubstitutions(readText(modulusSubstitutions, 'substitutions'), modulusSubstitutions),
    };
  if (modulusSubstitutions === undefined) return null;
  throw new Refusal({ code: 'modulus_without_table' });
}

function readText(path: string, file: 'table' | 'substitutions'): string {
  try {
    const { size } = statSync(path);
    if (size > BYTES_MAX) throw new Error(`it has ${size} bytes, which no table of Pay.UK has`);
    return readFileSync(path, 'latin1');
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Refusal({ code: 'modulus_unreadable', file, path, cause });
  }
}
