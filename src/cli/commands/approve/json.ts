import { z } from 'zod';
import { count } from '../../../domain/entries/members.ts';
import { rowNumbers, runId, sha256 } from '../../../domain/result.ts';
import { approvalResult } from '../../../report/model/report.ts';
import { exitCode, nextCommand, rehearsal } from '../../json/members.ts';

const approved = approvalResult
  .pick({ approver: true, by: true, public_key: true, signed_at: true, expires_at: true })
  .extend({ rows: rowNumbers.describe('The rows that were approved by themselves.') });

export const approveOutput = z
  .strictObject({
    run_id: runId,
    state: z.literal('planned'),
    digest: sha256.describe('The SHA-256 of the plan: what was signed.'),
    rehearsal,
    approved,
    approvals_needed: count,
    approvals_missing: count,
    rows_to_approve: rowNumbers.describe('Rows that too few have approved.'),
    next: nextCommand,
    exit: exitCode,
  })
  .meta({ description: 'An approval that was signed, and what is still missing.' });
export type ApproveOutput = z.output<typeof approveOutput>;
