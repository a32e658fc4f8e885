import { type Attributes, context, createContextKey, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

// Without an SDK, which a user registers with `node --import`, all of this does next to nothing: https://opentelemetry.io/docs/specs/otel/library-guidelines/.

const PHASES = createContextKey('the phase of a run that is open');

type Phases = { open: Span | null };

function tracer() {
  return trace.getTracer('payrun');
}

/**
 * Work as a span, and its phases as spans below it, one after another: `begin` ends the last one. Attributes and names hold no payee,
 * account, file or person. Of what is thrown only that it was: its message may name any of them.
 */
export function traceRun<Result>(
  attributes: Attributes,
  work: (begin: (phase: string) => void) => Promise<Result>,
): Promise<Result> {
  const span = tracer().startSpan('run', { attributes });
  const inRun = trace.setSpan(context.active(), span);
  const phases: Phases = { open: null };
  const begin = (phase: string): void => {
    phases.open?.end();
    phases.open = tracer().startSpan(phase, {}, inRun);
  };
  return context
    .with(inRun.setValue(PHASES, phases), () => work(begin))
    .catch((error: unknown) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    })
    .finally(() => {
      phases.open?.end();
      span.end();
    });
}

/** A request as a span below the phase that is open. `outcomeOf`: what its answer meant. */
export async function traceRequest<Result>(
  operation: string,
  send: () => Promise<Result>,
  outcomeOf: (result: Result) => string,
): Promise<Result> {
  const active = context.active();
  const { open } = (active.getValue(PHASES) as Phases | undefined) ?? { open: null };
  const attributes = { 'rpc.method': operation };
  const span = tracer().startSpan('request', { attributes }, open === null ? active : trace.setSpan(active, open));
  try {
    const result = await send();
    span.setAttribute('payrun.outcome', outcomeOf(result));
    return result;
  } finally {
    span.end();
  }
}
