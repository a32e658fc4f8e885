import type { RefusalKind } from '../domain/refusal.ts';

/** Exit codes of the contract with users. */
export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 2,
  input: 3,
  some_failed: 4,
  person_needed: 5,
  refused: 6,
  held: 7,
  unreachable: 8,
  interrupted: 130,
} as const;

/** The one place where a mistake becomes an exit code. */
export function exitOfRefusal(kind: RefusalKind): number {
  switch (kind) {
    case 'usage':
      return EXIT.usage;
    case 'input':
      return EXIT.input;
    case 'person_needed':
      return EXIT.person_needed;
    case 'refused':
      return EXIT.refused;
    case 'held':
      return EXIT.held;
    case 'unreachable':
      return EXIT.unreachable;
  }
}
