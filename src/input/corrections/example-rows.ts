import type { RowCells } from '../cells/row-cells.ts';

/** What the column payee_id of a template's example rows holds. No payee has such a number. */
export const EXAMPLE_PAYEE_ID = 'EXAMPLE - not paid';

/** What the names of a template's example rows begin with; the name of the rail follows. */
export const EXAMPLE_NAME = 'Example payee by ';

const CAPITAL_E = 69;

/**
 * Whether the row is one of a template's examples, which is never paid and no payout. Only a row with both marks is
 * passed over. With one of them it may be a payee who was written over an example, or an example whose marks were
 * removed: that is an error, so that nobody is forgotten and nobody's example is paid.
 */
export function isExampleRow(cells: RowCells): boolean {
  const payeeId = cells.text('payee_id');
  const name = cells.text('name');
  if (payeeId.charCodeAt(0) !== CAPITAL_E && name.charCodeAt(0) !== CAPITAL_E) return false;
  const hasId = payeeId === EXAMPLE_PAYEE_ID;
  const hasName = name.startsWith(EXAMPLE_NAME);
  if (hasId && hasName) {
    cells.warn('payee_id', {
      code: 'example_row',
      message: "The row is an example of payrun's template, so it is passed over and never paid.",
      remedy: 'Leave it or remove it: it makes no difference.',
    });
    return true;
  }
  if (hasId)
    cells.error('payee_id', {
      code: 'example_row_changed',
      message: 'The payee ID says that the row is an example, and its name is not that of an example.',
      remedy:
        "If the payee is to be paid, write the payee's own number here, or leave it empty. Otherwise remove the row.",
    });
  else if (hasName)
    cells.error('name', {
      code: 'example_row_changed',
      message: "The name is that of an example of payrun's template, and its payee_id is not.",
      remedy: 'Write the name of the person or company that is paid, or remove the row.',
    });
  return false;
}
