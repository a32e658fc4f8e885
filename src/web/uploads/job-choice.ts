import type { Person } from '../../app/people/people.ts';
import type { KnownJob } from '../../app/schedule/known-jobs.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { hiddenField, moment, option } from '../shell/parts.ts';
import type { Web } from '../web.ts';
import type { Upload } from './uploads.ts';

/** What a file may be for, and which job is suggested for one that has none. */
export type JobChoice = {
  jobs: readonly Pick<KnownJob, 'name' | 'description'>[];
  suggested: { job: string; why: Html | string } | null;
  /** Whether it may be for no job. */
  mayGoWithout: boolean;
};

/** The jobs for which this person prepares. */
export function jobsFor({ deps, sight }: Pick<Web, 'deps' | 'sight'>, person: Person): KnownJob[] {
  const seen = sight.of(person);
  return deps.jobs().filter(({ name, problems, entity }) => {
    const { sees, roles } = seen.ofRun({ job: name, entity });
    return problems.length === 0 && sees === 'all' && roles.includes('preparer');
  });
}

/** Whether they may pay a file that is for no job, over what the page was started with or any other connection. */
export async function mayPrepareAlone(
  { sight, connections }: Pick<Web, 'sight' | 'connections'>,
  person: Person,
): Promise<boolean> {
  const seen = sight.of(person);
  for (const connectionId of [null, ...(await connections.usable()).map(({ id }) => id)])
    if (await seen.mayPrepare({ job: null, connectionId })) return true;
  return false;
}

/**
 * For a preparer of a file of which no plan was made. A job is suggested by the last file of this person that was named like it, by the
 * files that a job names as its own, and by the headers that a job maps; in this order. `headers` are empty until it is read.
 */
export async function jobChoiceOf(
  web: Web,
  person: Person,
  upload: Upload,
  headers: readonly string[],
): Promise<JobChoice | null> {
  const jobs = jobsFor(web, person);
  if (jobs.length === 0 || upload.runId !== null || upload.corrects !== null) return null;
  const isKnown = (name: string | null) => jobs.some((job) => job.name === name);
  const { connectionId } = upload;
  const choice = { jobs, mayGoWithout: await web.sight.of(person).mayPrepare({ job: null, connectionId }) };
  if (upload.job !== null) return { ...choice, suggested: null };
  const last = (await web.uploads.earlier(upload)).find(({ name }) => stemOf(name) === stemOf(upload.name));
  if (last !== undefined) {
    const why = html`Your last file with a name like this was for it, on ${moment(last.at, 'sentence')}.`;
    return { ...choice, suggested: last.job !== null && isKnown(last.job) ? { job: last.job, why } : null };
  }
  const byName = jobs.find(({ takes }) => takes(upload.name));
  if (byName !== undefined) return { ...choice, suggested: { job: byName.name, why: t`It takes files of this name.` } };
  const named = new Set(headers.map(keyOf));
  const byHeader = jobs.find(
    (job) => job.headers.length > 0 && job.headers.every((header) => named.has(keyOf(header))),
  );
  return { ...choice, suggested: byHeader ? { job: byHeader.name, why: t`It maps the headers of this file.` } : null };
}

/** `pay` of `July pay.csv` and of `pay_12 (2).xlsx`: what stays the same from month to month. */
function stemOf(name: string): string {
  const words = keyOf(name.replace(/\.[^.]*$/, '')).split(' ');
  return words.filter((word) => !MONTHS.has(word)).join(' ');
}

const MONTHS: ReadonlySet<string> = new Set(
  ['en', 'de', 'es', 'fr', 'pt'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at) => keyOf(format.format(Date.UTC(2026, at))));
    }),
  ),
);

function keyOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
}

/** What the file is for, with the way to another job; the suggestion stands out. */
export function jobPart({ id, job }: Upload, { jobs, suggested, mayGoWithout }: JobChoice): Html {
  const words = ({ name, description }: JobChoice['jobs'][number]) =>
    description === null ? name : `${name}: ${description}`;
  const suggestion =
    suggested &&
    html`<form class="notice care" method="post" action="/uploads/${id}/job">${hiddenField('job', suggested.job)}
<p class="row"><span><strong>Is it for the job ${suggested.job}?</strong> ${suggested.why}</span> <button>Use the job ${suggested.job}</button></p></form>`;
  return html`${suggestion}<details><summary>${job === null ? t`No job chosen` : t`Job: ${job}`}</summary>
<form class="inside row" method="post" action="/uploads/${id}/job"><label>Job
<select name="job">${mayGoWithout && option('', t`No job`, job === null)}${jobs.map((each) => option(each.name, words(each), each.name === job))}</select></label>
<button>Apply</button></form></details>`;
}
