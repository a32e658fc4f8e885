import { REFUSAL_EXIT, type RefusalKind } from '../domain/refusals/kinds.ts';
import { ENDING_EXIT } from '../domain/run/ending.ts';

/** Exit codes of the contract with users. */
export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 2,
  input: 3,
  some_failed: ENDING_EXIT.some_failed,
  person_needed: 5,
  refused: 6,
  held: 7,
  unreachable: 8,
  interrupted: ENDING_EXIT.interrupted,
} as const;

export function exitOfRefusal(kind: RefusalKind): number {
  return REFUSAL_EXIT[kind];
}

const WORDS: Readonly<Record<number, string>> = {
  [EXIT.ok]: 'completed',
  [EXIT.bug]: 'a bug in payrun',
  [EXIT.usage]: 'wrong usage or configuration',
  [EXIT.input]: 'the input has problems',
  [EXIT.some_failed]: 'some payouts failed or were rejected',
  [EXIT.person_needed]: 'a person is needed',
  [EXIT.refused]: 'refused',
  [EXIT.held]: 'held by another process',
  [EXIT.unreachable]: 'the service is unavailable or refuses our credentials',
  [EXIT.interrupted]: 'interrupted; it can be resumed',
};

/** The meaning of an exit code, for people. */
export function exitWords(exit: number): string {
  return WORDS[exit] ?? 'ended';
}
