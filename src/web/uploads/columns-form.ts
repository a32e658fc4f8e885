import type { CheckColumn, CheckResult } from '../../app/check/check-result.ts';
import type { ColumnName } from '../../app/check/headers.ts';
import { jobLines } from '../../app/check/job-settings.ts';
import { type Html, html } from '../shell/html.ts';
import { option, table } from '../shell/parts.ts';
import type { Upload } from './uploads.ts';

/** A header of more letters is a text, and is cut. */
const HEADER_LETTERS = 80;

/** What each header maps to. A preparer chooses something else for one; that is remembered for such headers. */
export function columnsForm(upload: Upload, result: CheckResult, mayPrepare: boolean): Html | null {
  const { columns, header_row, groups, job_settings, mapping = [], format } = result;
  if (columns.length === 0) return null;
  const isAsked = groups.some(({ code }) => code.startsWith('column_') || code.startsWith('header_'));
  const used = columns.filter(({ means }) => means !== null).length;
  const list = table<CheckColumn>(
    'Columns of the file',
    [
      ['Column', ({ column }) => column],
      ['Header', ({ header }) => shortened(header), 'head'],
      ['Maps to', (column) => `${meansText(column)}${GIVEN_BY[sourceOf(column, mapping)]}`],
    ],
    columns,
    {
      frame: 'scroll',
      className: 'rows columns-table',
      caption:
        format !== undefined
          ? 'The fields of the bank file, by the names that payrun has for them.'
          : header_row === null
            ? 'The file has no header: its columns are named by their letters.'
            : `The header is row ${header_row}. What is chosen here is remembered for every file with such headers that anybody uploads.`,
    },
  );
  return html`<section class="card" aria-labelledby="columns"><h2 id="columns">Columns</h2>
<details${isAsked && html` open`}><summary>${used} of ${columns.length} columns are used</summary>
${list}
${mayPrepare && columnPicker(upload, columns)}
${job_settings !== undefined && html`<p class="soft">A job has it as (<a href="/uploads/${upload.id}/job-lines.yaml" download>download these lines</a>):</p><pre>${jobLines(job_settings)}</pre>`}</details></section>`;
}

type Mapping = NonNullable<CheckResult['mapping']>;

/** Who maps a header to its column, or ignores it. */
function sourceOf({ column, header }: CheckColumn, mapping: Mapping): Mapping[number]['source'] | 'itself' {
  const isNamed = (name: string) => name.trim() === header.trim() || name.trim() === column;
  const given = mapping.find((one) => isNamed(one.header) || one.header.split(/[+|]/).some(isNamed));
  return given?.source ?? 'itself';
}

const GIVEN_BY: Readonly<Record<ReturnType<typeof sourceOf>, string>> = {
  itself: '',
  option: ', as chosen here',
  job: ', as the job says',
  remembered: ', as chosen for an earlier file',
};

/** One choice for all columns, so that the page does not grow with their number times that of the meanings. */
function columnPicker(upload: Upload, columns: readonly CheckColumn[]): Html {
  const open = columns.find(({ means, ignored }) => means === null && !ignored) ?? columns[0];
  const offered = columns.map((column) => {
    const words = `${column.column}: ${shortened(column.header)} (${meansText(column)})`;
    return option(column.column, words, column === open);
  });
  return html`<form class="row" method="post" action="/uploads/${upload.id}/columns">
<label>Column <select name="column">${offered}</select></label>
<label>Together with column <input name="other" size="4" maxlength="3" placeholder="none" autocomplete="off" spellcheck="false"></label>
<label>Maps to <select name="means">
${option('', 'What payrun takes it for', true)}
${Object.entries(COLUMN_WORDS).map(([name, words]) => option(name, words, false))}
${option('ignore', 'Nothing: ignore it', false)}
</select></label>
<button>Apply mapping</button>
<button class="quiet" name="forget" value="yes">Reset mapping</button>
</form>`;
}

function shortened(header: string): string {
  return header.length > HEADER_LETTERS ? `${header.slice(0, HEADER_LETTERS)}…` : header;
}

function meansText({ means, ignored }: CheckColumn): string {
  if (ignored) return 'Ignored';
  return means === null ? 'Not used, only in the report' : (COLUMN_WORDS[means as ColumnName] ?? means);
}

/** What people read for each column that payrun knows, in the order in which they are offered. */
const COLUMN_WORDS: Readonly<Record<ColumnName, string>> = {
  name: 'Name of the payee',
  amount: 'Amount',
  currency: 'Currency',
  account_number: 'Account number or IBAN',
  national_clearing_code: 'Clearing code (BSB, sort code, routing number)',
  bic: 'BIC (SWIFT code)',
  rail: 'Rail: how it is paid',
  payee_id: 'Id of the payee',
  reference: 'Reference',
  description: 'Description',
  source_currency: 'Currency that it is paid from',
  account_type: 'Type of the account',
  account_name: 'Name of the account',
  wallet_address: 'Wallet address',
  chain: 'Chain',
  email: 'E-mail',
  phone_country_code: 'Country code of the phone',
  phone_number: 'Phone',
  entity_name: 'Name of the company',
  registration_number: 'Registration number',
  address_line1: 'Address, first line',
  address_line2: 'Address, second line',
  city: 'City',
  state: 'State',
  postal_code: 'Postal code',
  country: 'Country',
  recipient_id: 'Recipient at the service',
  external_account_id: 'Account at the service',
};

export function isColumnName(text: string): text is ColumnName {
  return Object.hasOwn(COLUMN_WORDS, text);
}
