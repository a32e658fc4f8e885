import type { HeaderCell } from '../../domain/problems/input-problems.ts';
import { t } from '../translate.ts';

/** A header is shown with so many characters. */
const HEADER_SHOWN = 40;

/** A header, cut and in quotes. */
export function shown(header: string): string {
  const text = header.replace(/\s+/g, ' ').trim();
  return `\`${text.length > HEADER_SHOWN ? `${text.slice(0, HEADER_SHOWN)}…` : text}\``;
}

export function shownAt({ header, cell }: HeaderCell): string {
  return t`${shown(header)} in ${cell}`;
}

/** `--column "Gross to bank=amount"`: for a person to type. `null` ignores the header. */
export function columnOption(header: string, column: string | null): string {
  return t`--column "${header.replaceAll(/["\\$`]/g, (sign) => `\\${sign}`)}=${column ?? ''}"`;
}
