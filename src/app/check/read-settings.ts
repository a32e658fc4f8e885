import type { DefaultRails } from '../../input/cells/rail-cells.ts';
import type { ControlFigures } from '../../input/checks/control-figures.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { LegacyEncoding } from '../../input/source/legacy-encodings.ts';
import { type ModulusFiles, readModulusTable } from './modulus-files.ts';

/** How an input is to be read, where its file leaves that open. */
export type ReadSettings = {
  decimal?: '.' | ',' | undefined;
  defaultRail?: DefaultRails | undefined;
  sheet?: string | undefined;
  encoding?: LegacyEncoding | undefined;
  expectCount?: number | undefined;
  expectTotal?: ControlFigures['totals'] | undefined;
} & ModulusFiles;

/** Throws a Refusal (kind `usage`) where a file that the settings name cannot be read. */
export function readOptions(settings: ReadSettings): ReadOptions {
  const { decimal, defaultRail, sheet, encoding, expectCount, expectTotal } = settings;
  const expected = { count: expectCount ?? null, totals: expectTotal ?? new Map<string, bigint>() };
  const modulus = readModulusTable(settings);
  return {
    ...(decimal !== undefined && { decimal }),
    ...(defaultRail !== undefined && { defaultRails: defaultRail }),
    ...(sheet !== undefined && { sheet }),
    ...(encoding !== undefined && { encoding }),
    ...((expected.count !== null || expected.totals.size > 0) && { expected }),
    ...(modulus !== null && { modulus }),
  };
}
