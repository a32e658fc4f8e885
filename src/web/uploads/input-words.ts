import { Refusal } from '../../domain/refusal.ts';
import type { ListedJob } from '../../job/jobs-folder.ts';
import type { Upload, Uploads } from './uploads.ts';

/**
 * The words by which `plan` is told what to read and how. Each option is one word with its value, so that no text
 * of a file or of a person can be taken for another option. Throws a `Refusal` where the job is gone.
 */
export function inputWords(upload: Upload, uploads: Uploads, jobs: readonly ListedJob[]): string[] {
  return [...fileWords(upload, uploads.input(upload), jobs), ...readingWords(upload)];
}

/** How the file is to be read, and what people call it. */
export function readingWords({ name, reading }: Upload): string[] {
  const { sheet, decimal, rails, columns } = reading;
  return [
    `--file-name=${name}`,
    ...(sheet === null ? [] : [`--sheet=${sheet}`]),
    ...(decimal === null ? [] : [`--decimal=${decimal}`]),
    ...Object.entries(rails).map(([currency, rail]) => `--default-rail=${currency}=${rail}`),
    ...Object.entries(columns).map(([header, means]) => `--column=${header}=${means}`),
  ];
}

function fileWords({ job }: Upload, path: string, jobs: readonly ListedJob[]): string[] {
  if (job === null) return [path];
  const listed = jobs.find(({ name }) => name === job);
  if (listed === undefined)
    throw new Refusal(
      'usage',
      `There is no job ${job} any more.`,
      'Upload the file again, for another job or for none.',
    );
  return [listed.file, `--file=${path}`];
}
