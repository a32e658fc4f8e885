import { type Answer, answerOf, BROKEN, refused } from './answers.ts';
import type { Fault } from './faults.ts';

/** The answer of a fault that lets nothing happen, or null for the others. */
export function faultBefore({ kind }: Fault): Answer | null {
  switch (kind) {
    case 'drop-before':
      return { ...answerOf(BROKEN), cut: 'close' };
    case 'reset':
      return { ...answerOf(BROKEN), cut: 'reset' };
    case '500-before':
      return answerOf(BROKEN);
    case '429': {
      const answer = answerOf(refused('TOO_MANY_REQUESTS', 'too many requests with this key; see Retry-After'));
      answer.headers['retry-after'] = '1';
      return answer;
    }
    case 'drop-after-commit':
    case '500-after-commit':
    case 'truncate':
    case 'slow':
      return null;
  }
}

/** What the fault makes of an answer whose request has taken effect. */
export function faultAfter({ kind }: Fault, answer: Answer): Answer {
  switch (kind) {
    case 'drop-after-commit':
      return { ...answer, cut: 'close' };
    case 'truncate':
      return { ...answer, cut: 'truncate' };
    case '500-after-commit':
      return answerOf(BROKEN);
    case 'slow':
    case 'drop-before':
    case 'reset':
    case '500-before':
    case '429':
      return answer;
  }
}
