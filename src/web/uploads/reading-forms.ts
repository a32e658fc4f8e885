import { z } from 'zod';
import type { CheckColumn, CheckProblem, CheckResult } from '../../app/check/check-result.ts';
import type { ColumnName } from '../../app/check/headers.ts';
import { jobLines } from '../../app/check/job-settings.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import { type Html, html } from '../shell/html.ts';
import { option, table } from '../shell/parts.ts';
import type { Upload } from './uploads.ts';

/** Where a problem asks how the file is to be read, or somebody chose it: sheet, sign of the decimals, rails. */
export function readingForm(upload: Upload, result: CheckResult): Html | null {
  const { reading } = upload;
  const asked = askedIn([...result.problems, ...result.groups]);
  for (const [currency, rail] of Object.entries(reading.rails))
    asked.rails.set(currency, (asked.rails.get(currency) ?? new Set()).add(rail));
  const chosen = [result.sheet, reading.sheet].filter((name) => name !== null);
  const sheets = [...new Set([...chosen, ...asked.sheets])];
  const fields = [
    ...(sheets.length > 1 ? [sheetField(sheets, result.sheet)] : []),
    ...(asked.decimal || reading.decimal !== null ? [decimalField(reading.decimal)] : []),
    ...(asked.currencies !== null || reading.currency !== null ? [currencyField(asked, reading.currency)] : []),
    ...(asked.folding || reading.foldReferences ? [foldingField(reading.foldReferences)] : []),
    ...[...asked.rails].map(([currency, rails]) => railField(currency, [...rails], reading.rails[currency] ?? '')),
  ];
  if (fields.length === 0) return null;
  return html`<section class="card" aria-labelledby="reading"><h2 id="reading">How it is read</h2>
<form method="post" action="/uploads/${upload.id}/reading">${fields}<button>Check again</button></form></section>`;
}

type Asked = {
  sheets: Set<string>;
  rails: Map<string, Set<string>>;
  decimal: boolean;
  /** Whether a reference can be written in characters that its rail carries. */
  folding: boolean;
  /** What rails pay, where the file has no column for it. */
  currencies: readonly string[] | null;
  /** What the file implies. */
  proposed: string | null;
};

/** What the problems leave to be chosen: sheets, rails by currency, and the sign of the decimals. */
function askedIn(problems: readonly Pick<CheckProblem, 'code' | 'params'>[]): Asked {
  const asked: Asked = {
    sheets: new Set(),
    rails: new Map(),
    decimal: false,
    folding: false,
    currencies: null,
    proposed: null,
  };
  for (const { code, params } of problems) {
    if (SHEET_CODES.has(code)) for (const sheet of sheetsOf.parse(params).sheets) asked.sheets.add(sheet);
    if (DECIMAL_CODES.has(code)) asked.decimal = true;
    if (code === 'reference_characters' && foldable.safeParse(params).success) asked.folding = true;
    const missing = code === 'column_missing' ? missingCurrency.safeParse(params).data : undefined;
    if (missing !== undefined) {
      asked.currencies = missing.paid;
      asked.proposed = missing.proposed?.code ?? null;
    }
    if (code !== 'rail_several_fit') continue;
    const { currency, fitting } = fittingRails.parse(params);
    const rails = asked.rails.get(currency) ?? new Set();
    asked.rails.set(currency, new Set([...rails, ...fitting.map(({ rail }) => rail)]));
  }
  return asked;
}

const SHEET_CODES: ReadonlySet<string> = new Set<ProblemCode>(['sheet_ambiguous', 'sheet_hidden', 'other_sheets']);
const DECIMAL_CODES: ReadonlySet<string> = new Set<ProblemCode>([
  'amount_ambiguous',
  'amount_separators_mixed',
  'amount_wrong_separator',
]);

const sheetsOf = z.object({ sheets: z.array(z.string()) });
const fittingRails = z.object({ currency: z.string(), fitting: z.array(z.object({ rail: z.string() })) });

const foldable = z.object({ example: z.string() });

const missingCurrency = z.object({
  paid: z.array(z.string()),
  proposed: z.object({ code: z.string() }).nullable(),
});

/** What the file implies is offered first, and a person chooses it. */
function currencyField({ currencies, proposed }: Asked, chosen: string | null): Html {
  const offered = new Set([...(chosen === null ? [] : [chosen]), ...(currencies ?? [])]);
  const words = (code: string) => (code === proposed && code !== chosen ? `${code}, as the file suggests` : code);
  const codes = [...offered].toSorted((a, b) => Number(b === proposed) - Number(a === proposed));
  return html`<label>Rows that name no currency are in <select name="currency">
${option('', 'nothing: each row says it', chosen === null)}${codes.map((code) => option(code, words(code), code === chosen))}
</select></label>`;
}

function sheetField(sheets: readonly string[], chosen: string | null): Html {
  return html`<label>Sheet <select name="sheet">${chosen === null && option('', 'Choose a sheet', false)}${sheets.map((name) => option(name, name, name === chosen))}</select></label>`;
}

function decimalField(chosen: string | null): Html {
  return html`<label>Decimals are divided by <select name="decimal">
${option('', 'what the column proves', chosen === null)}${option('.', 'a point: 1,234.50', chosen === '.')}${option(',', 'a comma: 1.234,50', chosen === ',')}
</select></label>`;
}

function foldingField(isChosen: boolean): Html {
  return html`<label>References with characters that a rail does not carry are <select name="references">
${option('', 'errors', !isChosen)}${option('fold', 'written as it does: Nómina as Nomina', isChosen)}
</select></label>`;
}

function railField(currency: string, rails: readonly string[], chosen: string): Html {
  return html`<label>Rows in ${currency} that name no rail are paid by <select name="rail.${currency}">
${option('', 'nothing: each row says it', chosen === '')}${rails.map((rail) => option(rail, rail, rail === chosen))}
</select></label>`;
}

/** A header of more letters is a text, and is cut. */
const HEADER_LETTERS = 80;

/** What each header maps to. A preparer chooses something else for one; that is remembered for such headers. */
export function columnsForm(upload: Upload, result: CheckResult, mayPrepare: boolean): Html | null {
  const { columns, header_row, groups, job_settings } = result;
  if (columns.length === 0) return null;
  const isAsked = groups.some(({ code }) => code.startsWith('column_') || code.startsWith('header_'));
  const used = columns.filter(({ means }) => means !== null).length;
  const list = table<CheckColumn>(
    'Columns of the file',
    [
      ['Column', ({ column }) => column],
      ['Header', ({ header }) => shortened(header), 'head'],
      ['Maps to', meansText],
    ],
    columns,
    {
      frame: 'scroll',
      className: 'rows columns-table',
      caption:
        header_row === null
          ? 'The file has no header: its columns are named by their letters.'
          : `The header is row ${header_row}. What it says of itself is remembered for the next file with such headers.`,
    },
  );
  return html`<section class="card" aria-labelledby="columns"><h2 id="columns">Columns</h2>
<details${isAsked && html` open`}><summary>${used} of ${columns.length} columns are used</summary>
${list}
${mayPrepare && columnPicker(upload, columns)}
${job_settings !== undefined && html`<p class="soft">A job has it as:</p><pre>${jobLines(job_settings)}</pre>`}</details></section>`;
}

/** One choice for all columns, so that the page does not grow with their number times that of the meanings. */
function columnPicker(upload: Upload, columns: readonly CheckColumn[]): Html {
  const open = columns.find(({ means, ignored }) => means === null && !ignored) ?? columns[0];
  const offered = columns.map((column) => {
    const words = `${column.column}: ${shortened(column.header)} (${meansText(column)})`;
    return option(column.column, words, column === open);
  });
  return html`<form class="row" method="post" action="/uploads/${upload.id}/columns">
<label>Column <select name="column">${offered}</select></label>
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
