import { bankPlaceIn } from '../../domain/problem.ts';
import { number } from '../text.ts';
import { t, textTable } from '../translate.ts';
import { viewer } from '../viewer.ts';

/** The words for problems in a copy of the file that marks them, in the language of the viewer. */
export function markWords() {
  return {
    language: viewer().language,
    ...WORDS,
    suggestion: (text: string) => t`Suggestion: ${text}`,
    left: (count: number) => t`${number(count)} more problems are not written here: correct these first.`,
    commented: (all: number, some: number) =>
      t`Of ${number(all)} marked cells ${number(some)} have a comment, errors first. What is wrong with all is below.`,
    row: (row: number) => t`row ${row}`,
  };
}

/** Translates a place in a bank file that was stored as text: `record 12, positions 31-43`. */
export function placeText(kept: string): string {
  const place = bankPlaceIn(kept);
  switch (place?.in) {
    case undefined:
      return kept;
    case 'record': {
      const { record, positions } = place;
      return positions === null ? t`record ${record}` : t`record ${record}, positions ${positions[0]}-${positions[1]}`;
    }
    case 'payment': {
      const { payment, line, element } = place;
      const at = t`payment ${payment} (CdtTrfTxInf ${payment}, line ${line})`;
      return element === null ? at : `${at}, ${element}`;
    }
    case 'element':
      return t`${place.element}, line ${place.line}`;
  }
}

const WORDS = textTable({
  severities: { error: 'error', warning: 'warning' },
  advice: 'Correct the marked cells, save, and check this workbook again: this sheet and the comments do no harm.',
  headers: ['Place', 'Severity', 'Problem', 'What the cell holds', 'How to correct it', 'Suggestion'],
  wholeFile: 'the whole file',
});
