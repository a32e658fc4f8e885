import { z } from 'zod';
import type { Note } from '../entries/note.ts';
import type { AboveCeiling } from '../entries/payout.ts';
import { counts, type PlanEnd } from '../entries/run.ts';
import type { Returned } from '../entries/service.ts';

/** What a report says of a row. Every row has one of these, also while its run is not finished. */
export const reportStatus = z.keyof(counts);
export type ReportStatus = z.output<typeof reportStatus>;

/** Why a payout is not completed, or what else there is to say about it. */
export type OutcomeWhy =
  /** In the words of the service, or as the journal keeps it. */
  | { why: 'noted'; text: Note }
  /** Something is wrong with its row. */
  | { why: 'problem'; problem: { code: string; params: Record<string, unknown> } }
  | { why: 'failed_without_reason' }
  /** It would have cost more than it may. */
  | { why: 'above_ceiling'; above: AboveCeiling }
  /** It was refused (`refusal`: in what words), and another copy of the request may have been taken. */
  | { why: 'may_have_copy'; refusal: Note | null }
  /** The run was cancelled before the service was asked about it. */
  | { why: 'not_looked_up' }
  /** `attempts` took no effect. */
  | { why: 'not_sent_yet'; attempts: number }
  | { why: 'no_answer' }
  | { why: 'in_doubt'; reason: Note }
  | { why: 'not_final' }
  /** It was completed, and a bank sent it back. */
  | { why: 'returned'; returned: Returned };

export type Outcome = { status: ReportStatus; code: string | null; why: OutcomeWhy | null };

/** What a person can correct about payouts that were not paid. `failed`: `reason` is the service's code. */
export type Advice =
  | { advice: 'paid_before' | 'correct_rows' | 'cancelled' | 'plan_discarded' | 'rejected' }
  /** What a retry was to pay is still in the run that it retries. */
  | { advice: 'retry_discarded'; retries: string }
  | { advice: 'failed'; reason: string };

/** What a person can do then with `runId`. */
export type RemedyAct = {
  act: 'resume' | 'retry' | 'retry_rest' | 'retry_discarded' | 'retry_corrected';
  runId: string;
};

/** `mustFinish`: the run has to be finished before its rows are retried. */
export type Remedy = { advice: Advice | null; mustFinish: boolean; acts: RemedyAct[] };

/** What a report says first of a run, loudest first. */
export type LeadFact =
  | { fact: 'doubts'; count: number }
  /** The service made a payment after its deadline, so what was called absent in this run may be made late too. */
  | { fact: 'promise_broken'; transactionId: string; row: number; lateMs: number }
  | { fact: 'not_final'; count: number }
  | { fact: 'returned'; count: number }
  | { fact: 'cancelled' }
  /** A plan that nobody started: `end` is null where it was only discarded or replaced. */
  | { fact: 'plan_over'; end: PlanEnd | null }
  | { fact: 'unfinished' }
  /** `since`: how many of them stand how in other runs. */
  | {
      fact: 'not_paid';
      failed: number;
      rejected: number;
      notSubmitted: number;
      since: SinceCounts;
      isRehearsal: boolean;
    }
  /** `tookMs` is null before the run is finished. */
  | { fact: 'sent'; sums: { amount: string; currency: string }[]; isRehearsal: boolean; tookMs: number | null };

export type SinceCounts = { paid: number; under_way: number; planned: number };

/** What became of a run in one line. */
export type Headline = { total: number; completed: number; isPlanned: boolean; isRehearsal: boolean };
