import type { Actor } from '../../domain/entry.ts';
import type { DeliveryFault } from '../../domain/outcomes/notice-outcome.ts';
import type { Profile } from '../../domain/profile.ts';
import type { RunEnding } from '../../domain/run/ending.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RemittanceOutcome } from '../../notify/remittance-trouble.ts';
import type { ProgressSnapshot } from '../../report/model/pace.ts';
import type { WriteReports } from '../../report/write.ts';
import type { HintSource } from '../../runner/hinted.ts';
import type { RunEnd } from '../../runner/run.ts';
import type { Notify } from '../news.ts';
import type { ServiceDeps } from '../service/at-service.ts';
import type { RunResult } from './run-result.ts';

/** What a run does beside paying, which people may want to see. */
export type RunEvent =
  /** How many payees a job wants notified; a rehearsal notifies none of them. */
  | { event: 'payees_not_notified'; count: number }
  | { event: 'notifying_payees'; count: number }
  /** What of the advice to payees was not sent, and what to do. */
  | { event: 'advice_to_do'; lines: readonly string[] }
  /** A file of heads names an entry that this journal does not hold. */
  | { event: 'heads_against'; path: string; runId: string; n: number }
  | { event: 'heads_not_noted'; why: string }
  | { event: 'report_not_written'; why: string };

/** A run that was worked on until it was final, or had to stop. */
export type ExecutedRun = { ending: RunEnding; end: RunEnd; run: RunState; result: RunResult };

/** How a run is seen and stopped while it is worked on. */
export type Watching = {
  /** Nothing more is sent once it is aborted; what is in flight is reconciled. */
  stop: AbortSignal;
  onProgress(snapshot: ProgressSnapshot): void;
  /** A person has asked another process that the run pauses: the same as `stop`. */
  onPausing(): void;
  onEvent(event: RunEvent): void;
  /** The report is there and the lease is given back; only people are notified after that. */
  onEnded(executed: ExecutedRun): void;
  /** Takes a line that is for people. */
  note(text: string): void;
  end(): void;
};

/** Writes the report of a run in the words of its readers, and returns its files. */
export type Report = (report: Omit<WriteReports, 'version' | 'command'>) => Promise<string[]>;

/** What a run is started and gone on with. */
export type RunDeps = ServiceDeps & {
  leaseMs: number;
  /** Who starts the run, or goes on with it. */
  actor: Actor;
  /** Whether a person sits at the terminal that may interrupt the run. */
  isSeen: boolean;
  /** In place of the run's own. */
  reportDir: string | undefined;
  pollEveryMs: number | undefined;
  waitTimeoutMs: number | undefined;
  watch(run: RunState): Watching;
  report: Report;
  /** What became of the advice to payees, and what to do; `why`: what kept it from them. */
  advice(run: RunState, why: DeliveryFault | null): Promise<RemittanceOutcome | null>;
  notify: Notify;
  /** Logs how to resume the run: its terminal may be gone. */
  onInterrupted(runId: string): void;
  /** The value of a reference as `env:NAME` or `file:PATH`. Throws a `Refusal`. */
  secrets(reference: string, name: string): string;
  /** Does the work while webhooks are received, where the profile says so. Throws a `Refusal`. */
  whileReceiving<Result>(profile: Profile, work: (hints: HintSource | null) => Promise<Result>): Promise<Result>;
};
