import type { FileOrder } from '../../app/check/reading.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ListedJob } from '../../job/jobs-folder.ts';
import type { Upload, Uploads } from './uploads.ts';

/** An upload as it is read apart. Throws a `Refusal` where its job is gone. */
export function fileOrderOf(upload: Upload, uploads: Uploads, jobs: readonly ListedJob[]): FileOrder {
  const { name, job, reading, corrects } = upload;
  const listed = jobs.find((one) => one.name === job);
  if (job !== null && listed === undefined)
    throw new Refusal(
      'usage',
      `There is no job ${job} any more.`,
      'Upload the file again, for another job or for none.',
    );
  return { path: uploads.input(upload), name, job: listed?.file ?? null, reading, corrects };
}
