import type { ReasonOf } from '../../domain/refusals/reason.ts';
import type { ColumnFault, NoAdminFault, ShippedFault } from '../../domain/refusals/settings-reasons.ts';
import { damageText } from '../damage-words.ts';
import { columnOption } from '../problems/header-text.ts';
import { t } from '../translate.ts';
import { keyFileText } from './key-words.ts';
import type { RefusalWords, WordsOf } from './refusal-words.ts';
import { setUpWords } from './set-up-words.ts';
import { wantedText } from './wanted-words.ts';

const OTHER_PORT = 'Name another with --port and --admin-port, 0 for any.';
const OTHER_DIRECTORY = 'Name another directory with --data-dir, one that you may write to.';

/** What payrun was started with, and does not allow. */
export const SETTINGS_WORDS: WordsOf<
  | 'wrong_options'
  | 'wrong_column'
  | 'shipped_service_unusable'
  | 'shipped_service_held'
  | 'no_service_running'
  | 'admin_unavailable'
  | 'admin_refused'
  | 'admin_not_on_loopback'
  | 'key_file_unusable'
  | 'journal_damaged'
  | 'reports_not_writable'
  | 'modulus_unreadable'
  | 'modulus_without_table'
  | 'no_job_for_file'
  | 'period_unusable'
  | 'approvers_known'
> = {
  wrong_options: ({ faults, command }) => {
    const lines = faults.map(({ where, wanted }) => `${where}: ${wantedText(wanted)}`);
    return setUpWords('options', lines.join('\n'), `See: payrun ${command === null ? '' : `${command} `}--help`);
  },
  wrong_column: ({ fault }) => setUpWords('columns', ...columnText(fault)),
  shipped_service_unusable: ({ fault }) => setUpWords('shipped_service', ...shippedText(fault)),
  shipped_service_held: ({ path }) =>
    setUpWords(
      'shipped_service',
      `Another payrun process has the rehearsal service in ${path} open.`,
      'Wait for it, use another --data-dir, or start `payrun service` once and give its --base-url to all.',
    ),
  no_service_running: ({ fault }) =>
    setUpWords(
      'shipped_service',
      noAdminText(fault),
      'Start one with `payrun service`, or name its --data-dir or --admin-url.',
    ),
  admin_unavailable: ({ message }) => ({ message: `The service says: ${message}.`, remedy: 'Try again.' }),
  admin_refused: ({ operation, message }) =>
    setUpWords('shipped_service', `${operation}: ${message}.`, 'See: payrun service admin'),
  admin_not_on_loopback: ({ url }) => ({
    message: `${url} is not an admin port on loopback.`,
    remedy: 'Write it as http://127.0.0.1:8791.',
  }),
  key_file_unusable: ({ fault }) => setUpWords('key_file', ...keyFileText(fault)),
  journal_damaged: ({ cause }) => ({
    message: t`The journal is damaged: ${damageText(cause)}.`,
    remedy: t`Restore it from a backup.`,
  }),
  reports_not_writable: ({ path, cause }) =>
    setUpWords('reports_folder', `Reports cannot be written to ${path}: ${cause}.`, 'Name a folder with --report-dir.'),
  modulus_unreadable: ({ file, path, cause }) => ({
    ...setUpWords('modulus_table', `--modulus-${file}: ${path} cannot be read: ${cause}.`, 'Name a file that can be.'),
    details: { path },
  }),
  modulus_without_table: () =>
    setUpWords(
      'modulus_table',
      '--modulus-substitutions requires --modulus-table.',
      'Give valacdos.txt with --modulus-table too.',
    ),
  no_job_for_file: ({ named }) =>
    setUpWords(
      'options',
      `--file: ${named} is no job whose file another could stand for.`,
      'Name the job, and behind --file the spreadsheet that it is to pay.',
    ),
  period_unusable: (reason) => periodWords(reason),
  approvers_known: () =>
    setUpWords(
      'options',
      'The job says who approves, or the plan that is retried, and --approval cannot change that.',
      'Leave --approval out, or change the job.',
    ),
};

const COLUMN_EXAMPLE = 'Write it as in --column "Gross to bank=amount"; nothing behind the = ignores the header.';

function columnText(fault: ColumnFault): [message: string, remedy: string] {
  switch (fault.why) {
    case 'no_equals':
      return [`--column ${fault.text} has no =.`, COLUMN_EXAMPLE];
    case 'no_header':
      return [`--column ${fault.text} names no header.`, COLUMN_EXAMPLE];
    case 'contradiction': {
      const [one, other] = fault.columns.map((column) => column ?? 'ignore it');
      return [`--column names two columns for \`${fault.header}\`: ${one}, and ${other}.`, 'Name one of them.'];
    }
    case 'unknown_column': {
      const { text, header, name, nearest, known } = fault;
      const meant = nearest === null ? '' : ` Did you mean ${nearest}?`;
      const remedy =
        nearest === null ? `The columns are ${known.join(', ')}.` : `Write ${columnOption(header, nearest)}.`;
      return [`--column ${text}: there is no column ${name}.${meant}`, remedy];
    }
  }
}

function shippedText(fault: ShippedFault): [message: string, remedy: string] {
  switch (fault.why) {
    case 'wrong_webhook':
      return [
        `${fault.cause}.`,
        'Give an https URL with a public address, or allow loopback and private ones with --allow-private-webhooks.',
      ];
    case 'data_unusable':
      return [`${fault.cause}.`, OTHER_DIRECTORY];
    case 'port_taken':
      return [`Port ${fault.port ?? ''} is taken.`, OTHER_PORT];
    case 'port_forbidden':
      return [`Port ${fault.port ?? ''} may not be listened on by this user.`, OTHER_PORT];
    case 'files':
      return [`The data in ${fault.dataDir} cannot be used: ${fault.cause}.`, OTHER_DIRECTORY];
  }
}

function noAdminText(fault: NoAdminFault): string {
  switch (fault.why) {
    case 'none_running':
      return `No service with an admin port is running on the data in ${fault.dataDir}.`;
    case 'no_admin_port':
      return `What answers at ${fault.url} is no admin port of payrun.`;
    case 'ended':
      return `The service of ${fault.where} has ended: another program answers at ${fault.url}.`;
    case 'silent':
      return `The service of ${fault.where} does not answer at ${fault.url} (${fault.cause}).`;
  }
}

function periodWords({ why, wanted, period, job, example }: ReasonOf<'period_unusable'>): RefusalWords {
  const like = `Write it like ${example}.`;
  const page =
    job === null ? `${period} is a period, and the file is of no job.` : `${period} is no period of job ${job}.`;
  const words = (message: string, remedy: string): RefusalWords => ({
    message: { command_line: message, page },
    remedy: { command_line: remedy, page: example === null ? 'Leave the period out.' : like },
  });
  switch (why) {
    case 'no_job':
      return words(
        `--period ${period} is for a job, and this is none.`,
        'Leave --period out, or write a job for the file.',
      );
    case 'no_period':
      return words(`--period: ${period} is no period.`, like);
    case 'other_kind':
      return words(`--period: ${period} is not the period of job ${job}, which is a ${wanted}.`, like);
    case 'out_of_step':
      return words(
        `--period: ${period} does not begin with a week in which job ${job} is paid.`,
        `Its periods are ${example} and every other two weeks from there.`,
      );
  }
}
