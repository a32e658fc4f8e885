import { setMaxListeners } from 'node:events';
import process from 'node:process';

/** npm passes on a signal that the terminal has sent to us already: two so close are one press. */
const ONE_PRESS_MS = 500;

export type Interrupt = {
  signal: AbortSignal;
  /** Resolves once the signal is aborted. */
  interrupted: Promise<null>;
  release(): void;
};

/**
 * Ctrl-C, a SIGTERM, or a terminal that is closed (SIGHUP, which may come several times): the first aborts the signal. A
 * second Ctrl-C or SIGTERM ends the process at once, after `onSecond` has written its last lines. Nothing is lost by any of
 * them.
 */
export function stopOnInterrupt(onFirst: () => void, onSecond: () => void = () => {}): Interrupt {
  const stop = new AbortController();
  // Every wait of the run listens to it.
  setMaxListeners(0, stop.signal);
  let firstAtMs = 0;
  const interrupt = (): void => {
    if (stop.signal.aborted && performance.now() - firstAtMs < ONE_PRESS_MS) return;
    if (stop.signal.aborted) {
      onSecond();
      process.exit(130);
    }
    firstAtMs = performance.now();
    onFirst();
    stop.abort();
  };
  const hangUp = (): void => {
    if (!stop.signal.aborted) interrupt();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.on('SIGHUP', hangUp);
  return {
    signal: stop.signal,
    interrupted: new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve(null), { once: true })),
    release() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      // A shell hangs up on us after the terminal did, perhaps on the last lines that we write.
      if (!stop.signal.aborted) process.off('SIGHUP', hangUp);
    },
  };
}

/** The same around work that an interrupt stops; signals are the process's own again when it returns. */
export async function untilInterrupt<Result>(
  onFirst: () => void,
  work: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, release } = stopOnInterrupt(onFirst);
  return work(signal).finally(release);
}

/** Ends a process that has done its work and is kept by a timer only, such as the pause that a service asked for. */
export function endSoon(): void {
  setTimeout(() => process.exit(), 2_000).unref();
}
