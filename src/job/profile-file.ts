import { dirname } from 'node:path';
import { z } from 'zod';
import { connection } from './connection.ts';
import type { Job, JobService } from './job.ts';
import { approvalPart, type JobApproval } from './parts/approval-part.ts';
import { databaseUrl } from './values.ts';
import { requireYamlFile } from './yaml-file.ts';

/** A job's own connection names no database: commands that know a run and not its job have to find the same journal. */
export const profileSchema = connection.extend({
  database: databaseUrl.optional().describe('the journal in PostgreSQL, such as postgres://payrun@db.example/payrun'),
});

type ProfileFile = Omit<JobService, 'connection'> & { connection: z.output<typeof profileSchema> };

/** A profile of its own file. Throws a `Refusal` (`usage`). */
export function readProfileFile(path: string): ProfileFile {
  const { value, whereIs } = requireYamlFile(path, profileSchema, 'profile');
  return { connection: value, folder: dirname(path), whereIs };
}

/** What a job says of its connection itself, or in the profile that it names; null where it says nothing. */
export function connectionOfJob(job: Job): JobService['connection'] | null {
  const named = job.settings.get('profile');
  return named === undefined ? (job.service?.connection ?? null) : readProfileFile(String(named.value)).connection;
}

const approvalFile = z.strictObject({ approval: approvalPart.approval.unwrap() });

/** Who approves, of a file that has the part of a job which says so. Throws a `Refusal` (`usage`). */
export function readApprovalFile(path: string): JobApproval {
  return requireYamlFile(path, approvalFile, 'approval').value.approval;
}
