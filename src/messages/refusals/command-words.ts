import type { Decision } from '../../domain/outcomes/resolve-outcome.ts';
import { RAILS } from '../../domain/rails/registry.ts';
import type { CommandReason } from '../../domain/refusals/command-reasons.ts';
import type { ReasonOf } from '../../domain/refusals/reason.ts';
import { printable, rowsText } from '../text.ts';
import { t } from '../translate.ts';
import type { RefusalWords, WordsOf } from './refusal-words.ts';

/** Why a command does not do its work, for the sake of its options, its answers, or the files that it names. */
export const COMMAND_WORDS: WordsOf<CommandReason['code']> = {
  no_journal: ({ dataDir, database }) => ({
    message: t`There is no journal in ${database ?? dataDir}.`,
    remedy: {
      command_line: `Name the ${database === null ? 'data directory with --data-dir' : 'database with --database'}, or make a first run with \`payrun run FILE\`.`,
      page: t`Ask the person who operates payrun to check the data directory.`,
    },
  }),
  passphrase_unusable: ({ why }) => PASSPHRASE[why],
  passphrase_too_short: ({ lettersMin }) => ({
    message: `The passphrase has fewer than ${lettersMin} letters. Nothing was made.`,
    remedy: 'Take four or five words that nobody would put together.',
  }),
  output_unusable: (reason) => outputWords(reason),
  output_not_written: ({ path, cause }) =>
    words(`${path} cannot be written: ${cause}`, 'Check the folder and the disk.'),
  unknown_rail: ({ name, near }) => ({
    message: `There is no rail ${name}.${near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`}`,
    remedy: `The rails are ${RAILS.map((rail) => rail.name).join(', ')}.`,
  }),
  resolution_unclear: ({ why }) => ({
    message: RESOLUTION[why],
    remedy: 'Give --sent with the id of the transaction at the service, or --not-sent, and not both.',
  }),
  not_a_row: ({ given }) => ({
    message: `${printable(given)} is no row.`,
    remedy: 'Give the number that `payrun show` prints before it.',
  }),
  resolution_not_confirmed: ({ asked }) =>
    asked === null
      ? { message: 'Not confirmed. Nothing was recorded.', remedy: 'Run it again and type the number of the row.' }
      : {
          message: printable(`Not confirmed: row ${asked.row}. ${riskText(asked)} Nothing was recorded.`),
          remedy: CONFIRM,
        },
  payment_not_confirmed: ({ asked }) =>
    asked === null
      ? { message: 'Not confirmed.', nothingSent: true, remedy: 'Run it again and type the number of payouts.' }
      : { message: `Not confirmed: ${asked}.`, nothingSent: true, remedy: CONFIRM },
  cancel_unclear: () => ({
    message: 'Give a run ID or --waiting, not both.',
    remedy: 'Give the id of one run, or --waiting for the plans that cannot be run any more.',
  }),
  fixed_by_plan: ({ what }) => FIXED_BY_PLAN[what],
  retry_awaits_approval: ({ runId, needed }, { command }) => ({
    message: `${runId} waits for ${needed === 1 ? 'an approval' : `${needed} approvals`}.`,
    nothingSent: true,
    remedy: `Have it approved: ${command('approve', runId, '--key', 'FILE')}`,
    details: { run_id: runId },
  }),
  total_not_given: (reason, { command }) => ({
    ...totalWords(reason, command('show', reason.runId)),
    details: { run_id: reason.runId },
  }),
  rows_not_given: ({ runId, rows }) => {
    const which = rows.length === 1 ? `row ${rows[0]} waits` : `rows ${rowsText(rows)} wait`;
    return {
      message: `Not approved: ${which} for an approval of their own, which cannot be asked for without a terminal.`,
      remedy:
        'Ask the payees through a channel you already know, and give the rows: --rows 17,23, --rows all, or --rows none.',
      details: { run_id: runId },
    };
  },
  row_not_waiting: ({ given, waiting }) => ({
    message: `--rows: no row ${printable(given)} waits for an approval of its own.`,
    remedy: waiting.length === 0 ? 'Leave --rows out.' : `The rows are ${rowsText(waiting)}.`,
  }),
  page_address_unusable: (reason) => addressWords(reason),
  report_not_writable: ({ directory, cause }) => ({
    message: `The report cannot be written under ${directory}: ${cause}.`,
    remedy: 'Name another directory with --report-dir. An earlier report is as it was.',
  }),
  bad_witness: ({ path, cause }) => ({
    message: cause === null ? `${path} names no entry of a journal.` : `${path} cannot be read: ${cause}.`,
    remedy: 'Name a report.json, report.html or report.xlsx of a run, or a heads-….txt.',
  }),
  admin_body: (reason) => adminBodyWords(reason),
  service_data_unusable: ({ dataDir, cause }) =>
    cause === null
      ? {
          message: `There is no data of the shipped service in ${dataDir}.`,
          remedy: 'Name the directory with --data-dir, or make it with `payrun service`.',
        }
      : { message: `${cause}.`, remedy: 'Name another directory with --data-dir.' },
  service_stopped: ({ dataDir, cause }) => ({
    message: `The service on the data in ${dataDir} has stopped: ${cause}.`,
    remedy: 'What it acknowledged is kept. Make room or repair the disk, then start it again.',
  }),
  page_people_unusable: ({ cause }) => ({
    message: t`The page's members cannot be named in a plan: ${cause}.`,
    remedy: t`Change them under Team.`,
  }),
};

const CONFIRM = 'Without a terminal, confirm with --yes.';

const PASSPHRASE: Readonly<Record<ReasonOf<'passphrase_unusable'>['why'], RefusalWords>> = {
  none: { message: 'No passphrase was given.', remedy: 'Type it, or name a file.' },
  differ: { message: 'The two passphrases differ. Nothing was made.', remedy: 'Run it again.' },
  no_terminal: {
    message: 'The passphrase of the key cannot be asked for without a terminal.',
    remedy: 'Name a file of mode 0600 that holds it: --passphrase-file FILE.',
  },
  is_terminal: {
    message: '--passphrase-file - reads what another program gives, and here is a terminal.',
    remedy: 'Leave --passphrase-file out: you are asked, and what you type is not shown.',
  },
  too_long: { message: 'the passphrase file - has too many bytes for one', remedy: 'check what is given' },
};

const RESOLUTION: Readonly<Record<ReasonOf<'resolution_unclear'>['why'], string>> = {
  none: 'The command does not state what became of the payout.',
  both: 'A payout is either sent or not sent.',
  no_transaction: '--sent names no transaction.',
};

/** What a plan has already, by the options that cannot change it. */
const FIXED_BY_PLAN: Readonly<Record<ReasonOf<'fixed_by_plan'>['what'], RefusalWords>> = {
  period: {
    message: 'A plan has its period already, and --period cannot change it.',
    remedy: 'Leave --period out.',
  },
  ceilings: {
    message: 'A plan has its ceilings already, and --rate-ceiling and --run-rate-ceiling cannot change them.',
    remedy: 'Leave them out, or make a new plan with them.',
  },
  rows: {
    message: 'A plan has its rows already, and --skip-paid cannot change them.',
    remedy: 'Leave it out, or make a new plan with it.',
  },
};

/** What a person risks who records this of a payout in doubt. */
export function riskText({ payee, verdict }: { payee: string; verdict: Decision }): string {
  return verdict.kind === 'sent'
    ? `If ${verdict.transactionId} is another payment, ${payee} is not paid.`
    : `If it was sent after all, ${payee} is paid twice.`;
}

function words(message: string, remedy: string): RefusalWords {
  return { message, remedy };
}

function outputWords(reason: ReasonOf<'output_unusable'>): RefusalWords {
  const { path, option } = reason;
  switch (reason.why) {
    case 'is_input':
      return words(`${option} names the input itself.`, 'Give another name: the input is never changed.');
    case 'not_a_file':
      return words(`${path} is not a plain file.`, `Give another name with ${option}.`);
    case 'exists':
      return words(`${path} exists already.`, 'Give another name, or replace it with --force.');
    case 'not_read':
      return words(`${path} cannot be looked at: ${reason.cause}`, 'Check the name and the folder.');
    case 'wrong_ending': {
      const [first = '', ...others] = reason.endings;
      const ofInput = reason.isOfInput ? ', and the input is one' : '';
      return others.length === 0
        ? {
            message: `${option}: ${path} is no ${first} file${ofInput}.`,
            remedy: `Give a name that ends in ${first}.`,
          }
        : {
            message: `${option}: ${path} is neither ${reason.endings.join(' nor ')}.`,
            remedy: 'Give a name that ends in one of the two.',
          };
    }
  }
}

function totalWords(reason: ReasonOf<'total_not_given'>, show: string): RefusalWords {
  const remedy = `Look at the plan (${show}), and give the total of its first currency as it is shown: --total "AMOUNT CURRENCY".`;
  switch (reason.why) {
    case 'no_terminal':
      return { message: 'Not approved: the total cannot be asked for without a terminal.', remedy };
    case 'another':
      return { message: `Not approved: the total of ${reason.runId} is not ${printable(reason.given)}.`, remedy };
    case 'no_currency':
      return words(
        `Not approved: ${printable(reason.given)} has no currency.`,
        `Add the currency: --total "${reason.total}" (a number alone is enough where there is one currency).`,
      );
    case 'mistyped':
      return words('Not approved: that is not the total.', 'Run it again, and type the total.');
  }
}

function addressWords(reason: ReasonOf<'page_address_unusable'>): RefusalWords {
  switch (reason.why) {
    case 'in_the_clear':
      return words(
        `--host ${reason.host}: passwords would cross the network in the clear.`,
        'Give a certificate (--tls-cert FILE --tls-key FILE), or name the proxy that does the TLS (--behind-proxy https://NAME).',
      );
    case 'unknown_host':
      return words(`--host ${reason.host} is no address of this machine.`, 'Name one that it has, or leave it out.');
    case 'no_https_origin':
      return words(`--behind-proxy: ${reason.origin} is no https origin.`, 'Write it as https://pay.example.com.');
    case 'proxy_and_tls':
      return words('Behind a proxy the proxy does the TLS.', 'Leave out --tls-cert and --tls-key, or --behind-proxy.');
    case 'half_tls':
      return words('A certificate and its private key belong together.', 'Give both --tls-cert and --tls-key.');
    case 'half_mail':
      return words('A mail server and a sender belong together.', 'Give both --mail-server and --mail-from.');
    case 'half_oidc':
      return words(
        'A sign-in provider takes its issuer, the client that payrun is there, a secret and the roles of groups.',
        'Give --oidc-issuer, --oidc-client, --oidc-secret and --oidc-roles.',
      );
    case 'no_host_name':
      return words('The certificate names no host.', 'Give the name of the page: --host NAME.');
    case 'no_certificate':
      return words(
        `--tls-cert: ${reason.file} is no certificate.`,
        'Give a PEM file that begins with the certificate.',
      );
    case 'out_of_time':
      return words(
        `--tls-cert: ${reason.file} ${reason.hasEnded ? 'ended' : 'begins'} on ${reason.day}.`,
        'Give one that is valid now, or set the clock of this machine.',
      );
    case 'unreadable':
      return words(`--tls-cert: ${reason.cause}.`, 'Check the path.');
    case 'refused':
      return words(`The certificate cannot be used: ${reason.cause}.`, 'Check --tls-cert and --tls-key.');
  }
}

function adminBodyWords(reason: ReasonOf<'admin_body'>): RefusalWords {
  const remedy = 'See: payrun service admin';
  switch (reason.why) {
    case 'no_json':
      return { message: `${reason.operation}: ${reason.problem}.`, remedy };
    case 'given_twice':
      return words(`${reason.name} is given twice.`, 'Give it once.');
    case 'no_pair':
      return { message: `${reason.word} is neither key=value nor a JSON object.`, remedy };
  }
}
