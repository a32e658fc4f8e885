import { Returns } from '../../app/returns/returns.ts';
import { refusalIn } from '../../app/runs/known-run.ts';
import type { Connection } from '../../app/service/at-service.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

/** A bank takes days to send a payout back. */
const LOOK_EVERY_MS = 10 * 60_000;

type Deps = {
  journal: Journal;
  clock: Clock;
  log: Log;
  /** The services that payments go over, or went over lately. */
  watched(): Promise<readonly Watched[]>;
};

/** `looked`: null after returns were looked for there, else why they could not be. */
export type Watched = { connect(): Promise<Connection>; looked(why: RefusalReason | null): void };

/** Looks for payouts that came back, at once and every ten minutes, until the signal. Never rejects. */
export async function watchReturns({ watched, ...deps }: Deps, signal: AbortSignal): Promise<void> {
  const { journal, clock, log } = deps;
  const returns = new Returns(deps);
  while (!signal.aborted) {
    // Who has paid nothing yet asks the service nothing.
    const hasPaid = await journal.listStartedRuns(1).then(
      (runs) => runs.length > 0,
      () => false,
    );
    for (const { connect, looked } of hasPaid ? await watched().catch(() => []) : []) {
      try {
        await lookOnce(returns, connect);
        looked(null);
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal !== null) looked(refusal.reason);
        if (refusal === null) log.error({ error }, 'returns could not be looked for');
        else log.warn({ problem: refusal.message }, 'returns could not be looked for');
      }
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

async function lookOnce(returns: Returns, connect: () => Promise<Connection>): Promise<void> {
  const connection = await connect();
  try {
    await returns.look(connection);
  } finally {
    await connection.close();
  }
}
