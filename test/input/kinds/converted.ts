import { ConversionError } from '../../../src/platform/xlsx/conversion/kinds.ts';
import { readAll } from '../reading.ts';

/** Reads what a conversion makes, which is made here and not in a process of its own. */
export async function readConverted(converted: Uint8Array | Promise<Uint8Array>) {
  return readAll(await converted);
}

/** Why a conversion makes nothing; libraries throw anything at a damaged file. */
export async function faultOf(convert: () => Uint8Array | Promise<Uint8Array>): Promise<string> {
  try {
    await convert();
  } catch (error) {
    return error instanceof ConversionError ? error.code : 'workbook_damaged';
  }
  return 'none';
}
