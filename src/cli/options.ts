import type { Argv } from 'yargs';
import type { LegacyEncoding } from '../input/source/legacy-encodings.ts';

/** Written out, so that `--help` loads nothing of the input. */
const ENCODINGS: readonly LegacyEncoding[] = [
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'macintosh',
  'windows-1251',
  'windows-1253',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
];

/** Where payrun keeps its journal, its logs, and the shipped service's data. */
export function dataOptions<T>(argv: Argv<T>) {
  return argv
    .option('data-dir', { type: 'string', describe: 'journal, logs and rehearsal service (default .payrun)' })
    .option('json', { type: 'boolean', describe: 'one JSON object on standard output, nothing else' })
    .option('quiet', { type: 'boolean', describe: 'no progress' })
    .option('log-level', { type: 'string', describe: 'error, warn, info or debug (default info), to the log file' });
}

/** How the input is to be read. */
export function inputOptions<T>(argv: Argv<T>) {
  return argv
    .option('file', { type: 'string', describe: 'the file that a job pays this time, in place of its own' })
    .option('file-name', { type: 'string', describe: 'what reports call the file (default: its name)' })
    .option('sheet', { type: 'string', describe: 'the sheet of a workbook (default: the one with payouts)' })
    .option('encoding', {
      choices: ENCODINGS,
      describe: 'the encoding of a text file that does not show it (default: asked, unless its words decide)',
    })
    .option('column', {
      type: 'string',
      array: true,
      nargs: 1,
      describe:
        'what a header means ("Gross to bank=amount"), or that it is ignored ("Net="); may be given several times, and is remembered for such headers',
    })
    .option('forget-columns', { type: 'boolean', describe: 'forget what is remembered of the headers of this input' })
    .option('decimal', {
      choices: ['.', ','],
      describe: 'the decimal separator of the amounts, where the column does not prove it',
    })
    .option('default-rail', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'default rail per currency (EUR=EUR_SEPA); repeatable',
    })
    .option('expect-count', { type: 'string', describe: 'how many payouts there must be (45)' })
    .option('expect-total', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'what must be paid in a currency (AUD=1234.50); once for each',
    })
    .option('modulus-table', { type: 'string', describe: "Pay.UK's valacdos.txt, by which GBP accounts are checked" })
    .option('modulus-substitutions', { type: 'string', describe: "Pay.UK's scsubtab.txt, which a few banks need too" });
}

/** How to reach the service, and how fast. Each also as PAYRUN_… in the environment. */
export function serviceOptions<T>(argv: Argv<T>) {
  return dataOptions(argv)
    .option('profile', { type: 'string', describe: 'connection profile (YAML)' })
    .option('base-url', { type: 'string', describe: 'the service; without it a rehearsal service is started' })
    .option('api-key', { type: 'string', describe: 'the key id' })
    .option('signing-key', { type: 'string', describe: 'private key file (PKCS#8 PEM, mode 0600)' })
    .option('rate', { type: 'string', describe: 'requests a second (default 10; 0 for no limit)' })
    .option('concurrency', { type: 'string', describe: 'requests under way at once (default 8)' })
    .option('webhook-listen', { type: 'string', describe: 'receive webhooks here while the run lasts (ADDRESS:PORT)' })
    .option('webhook-key', { type: 'string', describe: 'the public key that webhooks are signed with (whpk_…)' })
    .option('poll-every', { type: 'string', describe: 'shortest pause between polls (default 1s)' })
    .option('wait-timeout', { type: 'string', describe: 'longest wait for final statuses (default 2h)' })
    .option('report-dir', { type: 'string', describe: 'where reports go (default reports)' });
}

/** Who makes the plan, where the job names people for that. */
export function preparerOptions<T>(argv: Argv<T>) {
  return argv
    .option('as', { type: 'string', describe: 'the key file of who makes the plan, where the job names preparers' })
    .option('passphrase-file', {
      type: 'string',
      nargs: 1,
      describe: 'a file of mode 0600 with its passphrase, or - for standard input (default: asked)',
    })
    .option('approval', {
      type: 'string',
      describe: 'a YAML file with the approval: of a job, where the job has none, or there is no job',
    });
}

/** How much dearer a payout from another currency may become after the plan. */
export function ceilingOptions<T>(argv: Argv<T>) {
  return argv
    .option('rate-ceiling', {
      type: 'string',
      describe: 'how much more than planned may be sent for a payout from another currency (default 0.5%)',
    })
    .option('run-rate-ceiling', {
      type: 'string',
      describe: 'the same for all payouts of a pair of currencies together (default 0.5%)',
    });
}
