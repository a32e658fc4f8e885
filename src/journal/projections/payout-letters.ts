import type { PaidBeside } from '../../domain/run/paid-standing.ts';
import type { PayoutState } from '../../domain/run/payout.ts';

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

export type PayoutLetter = { state: State; beside: PaidBeside };

const MEANINGS: ReadonlyMap<string, PayoutLetter> = new Map(
  Object.entries(LETTERS).flatMap(([state, letters]) =>
    Object.entries(letters).map(([beside, letter]) => [
      letter,
      { state: state as State, beside: beside as PaidBeside },
    ]),
  ),
);

export function letterOf(state: State, beside: PaidBeside): string {
  return LETTERS[state][beside];
}

/** Undefined for what is none. */
export function meaningOf(letter: string): PayoutLetter | undefined {
  return MEANINGS.get(letter);
}
