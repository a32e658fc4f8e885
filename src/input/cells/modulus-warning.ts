import type { Destination } from '../../domain/payee.ts';
import { checkModulus, type ModulusTable } from '../../domain/rails/fields/gbp-modulus.ts';
import type { Fault } from './cell-facts.ts';
import type { RowCells } from './row-cells.ts';

const FAILS: Fault = {
  code: 'account_modulus',
  message: "The sort code and the account number do not belong together by the UK's modulus check.",
  remedy: 'Ask the payee to confirm both.',
};

/** Warns of an account in the UK that its bank cannot have given, by the table of modulus weights. */
export function warnOfModulus(cells: RowCells, destination: Destination, table: ModulusTable): void {
  if (destination.kind !== 'account' || destination.rail !== 'GBP_FPS') return;
  const { national_clearing_code: sortCode, account_number: account } = destination.fields;
  // Of one that is not even as long as it must be, something else is said.
  if (!/^\d{6}$/.test(sortCode) || !/^\d{8}$/.test(account)) return;
  switch (checkModulus(table, sortCode, account)) {
    case 'passes':
      break;
    case 'fails':
      cells.warn('account_number', FAILS);
      break;
    case 'not covered':
      cells.warn('account_number', notCovered(table));
  }
}

function notCovered({ substitutions }: ModulusTable): Fault {
  return {
    code: 'account_modulus_unchecked',
    message:
      'The table of modulus weights alone cannot tell whether the sort code and the account number belong together.',
    remedy:
      substitutions === null
        ? { code: 'add_substitutions' }
        : 'Nothing needs to be done: the table has an exception that this version of payrun does not know.',
  };
}
