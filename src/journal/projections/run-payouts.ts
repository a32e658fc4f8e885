import type { Payee, PayoutOrder } from '../../domain/payee.ts';
import type { PlannedConversions } from '../../domain/plan.ts';
import type { PaidBeside, PaidStanding } from '../../domain/run/paid-standing.ts';
import type { PayoutState } from '../../domain/run/payout.ts';

/** What a row orders, as far as later payments are compared with it. */
export type PastOrder = Pick<PayoutOrder, 'row' | 'destination' | 'amount_minor' | 'currency' | 'source'> & {
  payee: Pick<Payee, 'payee_id' | 'name' | 'email'>;
};

/** A payable row of a run, and what became of it. */
export type PastPayout = { order: PastOrder; state: PayoutState['state']; standing: PaidStanding };

/** What a run paid, perhaps paid, or is about to pay. */
export type RunPayouts = {
  /** It ended, and no process has taken it up since. */
  isFinished: boolean;
  /** What is sent in other currencies than payees receive, by its plan. */
  conversions: PlannedConversions | null;
  /** How many were completed. */
  completed: number;
  /** In the order of the rows, some hundred at a time: those of one `rows` entry. */
  pages(): AsyncIterable<readonly PastPayout[]>;
};

type State = PayoutState['state'];

/** A payout's state takes one letter of its page's text: small where nothing beside it may have paid it. */
const LETTERS: Readonly<Record<State, Readonly<Record<PaidBeside, string>>>> = {
  waiting: { nothing: 'w', copy: '0', surfaced: 'W' },
  sending: { nothing: 's', copy: '1', surfaced: 'S' },
  in_doubt: { nothing: 'd', copy: '2', surfaced: 'D' },
  accepted: { nothing: 'a', copy: '3', surfaced: 'A' },
  completed: { nothing: 'c', copy: '4', surfaced: 'C' },
  failed: { nothing: 'f', copy: '5', surfaced: 'F' },
  rejected: { nothing: 'r', copy: '6', surfaced: 'R' },
  unresolved: { nothing: 'u', copy: '7', surfaced: 'U' },
  suspected: { nothing: 'q', copy: '8', surfaced: 'Q' },
  not_submitted: { nothing: 'n', copy: '9', surfaced: 'N' },
};

const MEANINGS = new Map(
  Object.entries(LETTERS).flatMap(([state, letters]) =>
    Object.entries(letters).map(([beside, letter]) => {
      return [letter, { state: state as State, beside: beside as PaidBeside }] as const;
    }),
  ),
);

export function letterOf(state: State, beside: PaidBeside): string {
  return LETTERS[state][beside];
}

/** Undefined for a letter that has no meaning. */
export function meaningOf(letter: string): { state: State; beside: PaidBeside } | undefined {
  return MEANINGS.get(letter);
}
