import type { Actor } from '../../domain/entry.ts';
import type { Profile } from '../../domain/profile.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunWriter } from '../../journal/journal.ts';
import type { HintSource } from '../../runner/hinted.ts';
import type { Connection, ServiceDeps } from '../service/at-service.ts';
import { type ExecuteDeps, type ExecutedRun, executeRun } from './execute-run.ts';

/** How a run is seen and stopped while it is worked on. */
export type Watching = Pick<ExecuteDeps, 'stop' | 'onProgress' | 'onPausing' | 'onEvent' | 'onEnded'> & {
  /** Takes a line that is for people. */
  note(text: string): void;
  end(): void;
};

/** What a run is started and gone on with. */
export type RunDeps = ServiceDeps &
  Omit<ExecuteDeps, keyof ServiceDeps | keyof Watching | 'client' | 'hints'> & {
    /** Who starts the run, or goes on with it. */
    actor: Actor;
    watch(run: RunState): Watching;
    /** Does the work while webhooks are received, where the profile says so. Throws a `Refusal`. */
    whileReceiving<Result>(profile: Profile, work: (hints: HintSource | null) => Promise<Result>): Promise<Result>;
  };

export type RunHeld = {
  run: RunState;
  writer: RunWriter;
  connection: Connection;
  hints: HintSource | null;
  resubmitAbsent?: boolean;
};

/** Executes a run that this process holds until it is final or has to stop, seen by whoever watches it. */
export async function executeWatched(
  deps: RunDeps,
  { run, writer, connection, hints, resubmitAbsent = false }: RunHeld,
): Promise<ExecutedRun> {
  const watching = deps.watch(run);
  connection.reportTo((text) => watching.note(text));
  try {
    return await executeRun(
      { ...deps, ...watching, client: connection.client, hints },
      { run, writer, resubmitAbsent },
    );
  } finally {
    watching.end();
  }
}
