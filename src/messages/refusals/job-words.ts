import type { AllowedPayeesFault } from '../../domain/refusals/job-reasons.ts';
import type { ReasonOf } from '../../domain/refusals/reason.ts';
import { problemWords } from '../problems/problem-words.ts';
import { plural, t, textTable } from '../translate.ts';
import type { RefusalWords, WordsOf } from './refusal-words.ts';
import { fileProblemLine, unreadableText } from './settings-file-words.ts';

/** Rows that one refusal names. */
const NAMED_MAX = 20;

export const FILE_REMEDIES = textTable({
  job: 'Correct the job; jobs/README.md has its keys.',
  profile: 'Correct the profile; the keys are in the README.',
  approval: 'Correct the file; jobs/README.md says how approval: is written.',
});

const addSchedule = () => t`Add one: jobs/README.md shows how.`;

/** What a job, a file of settings or the limits of a job do not allow. */
export const JOB_WORDS: WordsOf<
  | 'file_problems'
  | 'settings_file_unreadable'
  | 'unknown_job'
  | 'no_input_file'
  | 'allowed_payees_unusable'
  | 'job_without_schedule'
  | 'no_scheduled_job'
  | 'limits_exceeded'
  | 'day_limit_exceeded'
> = {
  file_problems: ({ file, kind, problems, more }) => {
    const lines = problems.map((problem) => fileProblemLine(file, problem));
    return {
      message: [...lines, ...(more > 0 ? [t`${file}: and ${more} more`] : [])].join('\n'),
      remedy: FILE_REMEDIES[kind],
    };
  },
  settings_file_unreadable: ({ path, fault }) => {
    const [message, remedy] = unreadableText(path, fault);
    return { message: `${message}.`, remedy };
  },
  unknown_job: (reason) => unknownJobWords(reason),
  no_input_file: ({ where, input, isPattern }) =>
    isPattern
      ? {
          message: t`${where}: input: no file is called ${input}.`,
          remedy: t`Put one there, or correct the pattern: * is any text, ? any letter.`,
        }
      : { message: t`${where}: input: there is no file ${input}.`, remedy: t`Put it there, or correct the path.` },
  allowed_payees_unusable: ({ where, path, fault }) => {
    const [what, remedy] = allowedPayeesText(path, fault);
    return { message: t`${where}: limits.only_payees: ${what}.`, remedy };
  },
  job_without_schedule: ({ file }) => ({ message: t`${file}: the job has no schedule.`, remedy: addSchedule() }),
  no_scheduled_job: ({ folder }) => ({ message: t`No job in ${folder}/ has a schedule.`, remedy: addSchedule() }),
  limits_exceeded: (reason) => limitsWords(reason),
  day_limit_exceeded: ({ faults, isAlone }) => ({
    message: faults.map((fault) => problemWords(fault, 'command_line').message).join('\n'),
    nothingSent: true,
    remedy: isAlone
      ? t`Pay fewer rows, or ask someone with permission to change the limit in the job.`
      : t`Run it on another day, pay fewer rows, or ask someone with permission to change the limit in the job.`,
  }),
};

function unknownJobWords({ name, folder, jobs, more, nearest }: ReasonOf<'unknown_job'>): RefusalWords {
  const known =
    jobs.length === 0
      ? t`${folder}/ has no jobs: write one as ${folder}/NAME.yaml`
      : t`The jobs are ${jobs.join(', ')}${more ? ' …' : ''}`;
  const meant = nearest === null ? '' : t`Did you mean ${nearest}? `;
  return { message: t`There is no file ${name}, and no job of that name in ${folder}/.`, remedy: `${meant}${known}.` };
}

function allowedPayeesText(path: string, fault: AllowedPayeesFault): [what: string, remedy: string] {
  switch (fault.why) {
    case 'empty':
      return [t`${path} names no payee`, t`Write a payee_id in each line.`];
    case 'no_column':
      return [t`${path} is a table without a column payee_id`, t`Name the ID column payee_id.`];
    case 'unreadable':
      return [
        t`${path} cannot be read: ${fault.cause}`,
        t`Put a text or CSV file in UTF-8 there, or correct the path.`,
      ];
  }
}

function limitsWords({ named, more, rows, rowCount, whole }: ReasonOf<'limits_exceeded'>): RefusalWords {
  const remedies = new Set<string>();
  const text = (fault: { code: string; params: object }): string => {
    const { message, remedy } = problemWords(fault, 'command_line');
    remedies.add(remedy);
    return message;
  };
  const lines = [
    ...named.map(({ row, name, payeeId, fault }) => {
      const payee = payeeId === null ? name : `${name}, ${payeeId}`;
      return t`Row ${row} (${payee}): ${text(fault)}`;
    }),
    ...(more > 0 ? [t`… and ${more} more`] : []),
    ...whole.map(text),
  ];
  const others = rowCount > NAMED_MAX ? t` and ${rowCount - NAMED_MAX} more` : '';
  const which = rowCount === 0 ? '' : t` in ${plural(rowCount, 'row', 'rows')} ${rows.join(', ')}${others}`;
  return {
    message: t`The job does not allow what this run pays${which}.`,
    nothingSent: true,
    lines,
    remedy: [...remedies].join('\n'),
  };
}
