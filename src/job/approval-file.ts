import { z } from 'zod';
import { approvalPart, type JobApproval } from './parts/approval-part.ts';
import { requireYamlFile } from './yaml-file.ts';

const approvalFile = z.strictObject({ approval: approvalPart.approval.unwrap() });

/** Who approves, of a file that has the part of a job which says so. Throws a `Refusal` (`usage`). */
export function readApprovalFile(path: string): JobApproval {
  return requireYamlFile(path, approvalFile, 'approval').value.approval;
}
