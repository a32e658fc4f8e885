import { type Answer, answerOf, BROKEN, refused } from './answers.ts';
import type { Fault, FaultKind } from './faults.ts';
import type { IncomingRequest } from './incoming.ts';
import type { LateRequests } from './late-requests.ts';

/** Carries a request out as usual, after a delay. */
type Serve = (request: IncomingRequest, delayMs?: number) => Promise<Answer>;

/** One request that meets a fault, from its bytes to its answer. */
export async function answerFaulted(
  fault: Fault,
  request: IncomingRequest,
  serve: Serve,
  late: LateRequests,
): Promise<Answer> {
  const { kind } = fault;
  switch (kind) {
    case 'late-commit': {
      const kept = await withBodyKept(request);
      late.begin(fault.ms ?? 0, () => serve(kept));
      return { ...answerOf(BROKEN), cut: 'close' };
    }
    case 'duplicate-delivery': {
      const kept = await withBodyKept(request);
      await serve(kept);
      return serve(kept);
    }
    default:
      return faultBefore(kind) ?? faultAfter(kind, await serve(request, fault.ms));
  }
}

/** The same request, whose bytes can be asked for more than once, and after its connection has ended. */
async function withBodyKept(request: IncomingRequest): Promise<IncomingRequest> {
  const bytes = await request.body();
  return { ...request, body: async () => bytes };
}

/** Faults that let a request be carried out once or not at all, now. */
type PlainKind = Exclude<FaultKind, 'late-commit' | 'duplicate-delivery'>;

/** The answer of a fault that lets nothing happen, or null for the others. */
function faultBefore(kind: PlainKind): Answer | null {
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
function faultAfter(kind: PlainKind, answer: Answer): Answer {
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
