import type { Settings } from '../compose/settings.ts';
import type { ReportFormat } from '../report/report-text.ts';

export function text(describe: string) {
  return { type: 'string', describe } as const;
}

export function flag(describe: string) {
  return { type: 'boolean', describe } as const;
}

/** An option that may be given several times, each time with one value. */
export function several(describe: string) {
  return { type: 'string', array: true, nargs: 1, describe } as const;
}

/** A positional that has to be given. */
export function required(describe: string) {
  return { type: 'string', demandOption: true, describe } as const;
}

export const RUN = { run: required('the run id') };

/** Written out, so that `--help` loads nothing of the input. */
const ENCODINGS: readonly NonNullable<Settings['encoding']>[] = [
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'macintosh',
  'windows-1251',
  'windows-1253',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'gb18030',
  'shift_jis',
  'utf-8',
  'utf-16le',
  'utf-16be',
];

/** Written out too, with whether each is written unless others are asked for; a format that is missing here does not compile. */
const FORMATS_BY_DEFAULT: Readonly<Record<ReportFormat, boolean>> = {
  csv: true,
  html: true,
  json: true,
  xlsx: true,
  pain002: false,
  camt054: false,
};
export const FORMATS = Object.keys(FORMATS_BY_DEFAULT) as ReportFormat[];
export const DEFAULT_FORMATS = FORMATS.filter((format) => FORMATS_BY_DEFAULT[format]);

/** That commands can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Where payrun keeps its journal, its logs, and the shipped service's data. */
export const DATA = {
  'data-dir': text('journal, logs and rehearsal service (default .payrun)'),
  database: text('keep the journal in PostgreSQL (postgres://USER@HOST/DATABASE)'),
  json: flag('one JSON object on standard output, nothing else'),
  quiet: flag('no progress'),
  'log-level': text('error, warn, info or debug (default info), to the log file'),
};

/** For the commands that write the log file. */
export const LOG = {
  'log-max-size': text('rotate the log file at this size, in KiB, MiB or GiB (default 64MiB)'),
  'log-files': text('how many rotated log files to keep (1 to 99; default 8)'),
};

/** How the input is to be read. */
export const INPUT = {
  file: text("the file to pay this time, instead of the job's own"),
  'file-name': text('what reports call the file (default: its name)'),
  sheet: text('the sheet of a workbook (default: the one with payouts)'),
  encoding: {
    choices: ENCODINGS,
    describe: 'the encoding of a text file that does not state it (default: asked, unless its names decide)',
  },
  currency: text('the currency of rows without one, such as GBP; remembered for files with the same headers'),
  column: several(
    'what a header means ("Gross to bank=amount"), or nothing to ignore it ("Net="); repeatable, and remembered for files with the same headers',
  ),
  'forget-columns': flag('forget what is remembered of the headers of this input'),
  decimal: {
    choices: ['.', ','],
    describe: 'the decimal separator of the amounts, where the column leaves it open',
  },
  'fold-references': flag('write references in the characters that their rails carry (Nómina as Nomina)'),
  'default-rail': several('default rail per currency (EUR=EUR_SEPA); repeatable'),
  'expect-count': text('the expected number of payouts (45)'),
  'expect-total': several('the expected total in a currency (AUD=1234.50); repeatable'),
  'modulus-table': text("Pay.UK's valacdos.txt, to check GBP accounts"),
  'modulus-substitutions': text("Pay.UK's scsubtab.txt, which a few banks also need"),
};

/** For who starts and supervises a process that stays. */
export const HEALTH = {
  health: text('answer /livez, /readyz and /metrics at this address (ADDRESS:PORT; default: not)'),
};

/** How to reach the service, and how fast. Each also as PAYRUN_… in the environment. */
export const SERVICE = {
  ...DATA,
  ...LOG,
  profile: text('connection profile (YAML)'),
  'base-url': text('the URL of the service; without it a rehearsal service is started'),
  'api-key': text('the key id'),
  'signing-key': text('private key file (PKCS#8 PEM, mode 0600)'),
  rate: text('requests a second (default 10; 0 for no limit)'),
  concurrency: text('requests under way at once (default 8)'),
  'webhook-listen': text('receive webhooks here while the run lasts (ADDRESS:PORT)'),
  'webhook-key': text('the public key that webhooks are signed with (whpk_…)'),
  'poll-every': text('shortest pause between polls (default 1s)'),
  'wait-timeout': text('longest wait for final statuses (default 2h)'),
  'report-dir': text('where reports go (default reports)'),
};

export const PASSPHRASE_FILE = {
  'passphrase-file': {
    ...text('a file with the passphrase (mode 0600), or - for standard input (default: asked)'),
    nargs: 1,
  },
};

/** Who executes a run. */
export const DETACH = { detach: flag('leave runs to a `payrun worker`; needs --database') };

/** Who makes the plan, where the job names people for that. */
export const PREPARER = {
  as: text('the key file of the preparer, where the job names preparers'),
  ...PASSPHRASE_FILE,
  approval: text('a YAML file with an approval: section, for a job without one or a payment without a job'),
};

/** How much dearer a payout from another currency may become after the plan. */
export const CEILINGS = {
  'rate-ceiling': text('how much more than planned a payout from another currency may cost (default 0.5%)'),
  'run-rate-ceiling': text('the same for all payouts of a currency pair together (default 0.5%)'),
};

/** When a plan is started on its own. */
export const START = {
  'start-at': text(
    'when it starts on its own, once approved: a day and a time (2026-11-27 09:00); a running page starts it',
  ),
  'start-zone': text("the time zone of --start-at (default: that of the job's schedule, else UTC)"),
  'any-day': flag('with --start-at: also on a non-business day'),
};

/** What of an input is paid, and whether it is paid once more. */
export const PAYING = {
  'only-valid': flag('pay the rows without problems, report the others'),
  'skip-paid': flag('leave out the rows that earlier runs paid, and report them'),
  period: text('the period of the job to pay (2026-11; default: the nearest)'),
  entity: text('the company that pays, by its id on the page (default main)'),
  'allow-repeat': text('pay again what an earlier run paid; name that run, or several with commas'),
};
