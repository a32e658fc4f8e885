import { z } from 'zod';
import { Refusal } from '../domain/refusal.ts';
import { approvalPart, type JobApproval } from '../job/parts/approval-part.ts';
import { requireYamlFile } from '../job/yaml-file.ts';

/** What `--approval` names: the part of a job that says who approves. */
const approvalFile = z.strictObject({ approval: approvalPart.approval.unwrap() });

const FILE_REMEDY = 'Mend the file; jobs/README.md says how approval: is written.';

/**
 * Who approves a plan: what its job says, or else the file that `--approval` names. Throws a `Refusal` (`usage`) for a file
 * with errors, and where both say it: nobody takes a job's own approvers away.
 */
export function approvalFrom(job: JobApproval | null, file: string): JobApproval {
  if (job === null) return requireYamlFile(file, approvalFile, FILE_REMEDY).value.approval;
  const remedy = 'Leave --approval out, or change the job.';
  throw new Refusal(
    'usage',
    'The job says who approves, or the plan that is retried, and --approval cannot change that.',
    remedy,
  );
}
