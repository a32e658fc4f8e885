import type { Client } from '../../client/client.ts';
import type { Actor, RunCreated } from '../../domain/entry.ts';
import type { Log } from '../../domain/log.ts';
import type { ApprovalPolicy, PlanFacts } from '../../domain/plan.ts';
import type { Journal } from '../../journal/journal.ts';

/** The service that a plan is made at. */
export type PlanConnection = { client: Client; scope: string; log: Log; close(): Promise<void> };

/** What a plan says of its approval, and how who makes it signs it. */
export type Preparation = {
  approval: ApprovalPolicy | null;
  /** The signature over the plan's digest; undefined where the account says who made the plan. */
  sign(digest: string): string | undefined;
};

/** Other plans of the same: those that the new one replaced, and those that can be run as well as it. */
export type Older = { replaced: readonly { run_id: string }[]; waiting: readonly { run_id: string }[] };

/** What has to do with plans that await approval. Those that refuse throw a `Refusal` (`refused`). */
export type AwaitingApproval<Others extends Older> = {
  requireApprovable(facts: Pick<PlanFacts, 'approval' | 'totals' | 'conversions'>): void;
  refuseBesideApproved(header: Omit<RunCreated, 'digest'>): Promise<void>;
  refuseBesideJob(header: Omit<RunCreated, 'digest'>, approval: ApprovalPolicy | null): Promise<void>;
  replaceOlder(header: RunCreated): Promise<Others>;
};

export type PlanDeps<Others extends Older> = {
  openJournal(): Promise<Journal>;
  connect(): Promise<PlanConnection>;
  awaiting(journal: Journal): AwaitingApproval<Others>;
  /** Who makes the plan, as the journal names them. */
  actor: Actor;
  stop: AbortSignal;
  /** Does work on a run: an error that says that the run was lost meanwhile names it then. */
  keeping<Result>(runId: string, work: () => Promise<Result>): Promise<Result>;
};
