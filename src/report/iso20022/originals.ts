import type { InputFile } from '../../domain/entry.ts';

/** How the payer named what it ordered, where the input says it: what a pain.001 has, which other files can have too. */
type Original = 'message' | 'messageName' | 'group' | 'instruction' | 'payment';

/** Elements of pain.001 and names of columns with the same, of which letters alone count. */
const NAMES: Readonly<Record<string, Original>> = {
  msgid: 'message',
  messageid: 'message',
  msgnmid: 'messageName',
  messagename: 'messageName',
  pmtinfid: 'group',
  paymentinformationid: 'group',
  instrid: 'instruction',
  instructionid: 'instruction',
  endtoendid: 'payment',
};

/** What a payer writes where it has no identification. */
export const NOT_PROVIDED = 'NOTPROVIDED';

/** The ids of one payment; null for what the input does not say. */
export type OriginalIds = Readonly<Record<Original, string | null>>;

/** Finds them in the cells of a row. */
export function originalIds({ header }: Pick<InputFile, 'header'>): (cells: readonly string[]) => OriginalIds {
  const columns = new Map<Original, number>();
  for (const [at, name] of header.entries()) {
    const original = NAMES[name.toLowerCase().replaceAll(/[^a-z]/g, '')];
    if (original !== undefined && !columns.has(original)) columns.set(original, at);
  }
  return (cells) => {
    const of = (original: Original): string | null => {
      const text = cells[columns.get(original) ?? -1]?.trim() ?? '';
      return text === '' || text === NOT_PROVIDED ? null : text;
    };
    return {
      message: of('message'),
      messageName: of('messageName'),
      group: of('group'),
      instruction: of('instruction'),
      payment: of('payment'),
    };
  };
}
