import type { Clock } from '../../../domain/clock.ts';

/** Why a body was not read to its end: there was too much of it, it came too slowly, or its sender went away. */
export class BodyFault extends Error {
  readonly why: 'too much' | 'too slow' | 'cut off';

  constructor(why: BodyFault['why'], options?: ErrorOptions) {
    super(`the body was not read: ${why}`, options);
    this.why = why;
  }
}

/** 25 MB at 110 KB a second. */
export const WHOLE_MAX_MS = 240_000;
/** So long nothing at all may come. */
export const SILENCE_MAX_MS = 30_000;

/** A body as it comes, for as long as it does. Throws a `BodyFault`. */
export async function* paced(
  body: AsyncIterable<Uint8Array>,
  { clock, bytesMax }: { clock: Clock; bytesMax: number },
): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  const untilMs = clock.monotonicMs() + WHOLE_MAX_MS;
  let bytes = 0;
  try {
    for (;;) {
      const waitMs = Math.min(untilMs - clock.monotonicMs(), SILENCE_MAX_MS);
      const next = await within(waitMs, source.next(), clock);
      if (next.done) return;
      bytes += next.value.length;
      if (bytes > bytesMax) throw new BodyFault('too much');
      yield next.value;
    }
  } finally {
    // Where something is still waited for, this waits too, and nobody waits for it.
    source.return?.().catch(() => {});
  }
}

async function within<Result>(ms: number, coming: Promise<Result>, clock: Clock): Promise<Result> {
  if (ms <= 0) {
    coming.catch(() => {});
    throw new BodyFault('too slow');
  }
  const hasCome = new AbortController();
  const slow = clock.sleep(ms, hasCome.signal).then(() => Promise.reject(new BodyFault('too slow')));
  // After it has come nobody waits for the other.
  slow.catch(() => {});
  try {
    return await Promise.race([coming, slow]);
  } catch (cause) {
    throw cause instanceof BodyFault ? cause : new BodyFault('cut off', { cause });
  } finally {
    hasCome.abort();
  }
}
