import { z } from 'zod';
import type { CheckProblem, CheckResult } from '../../app/check/check-result.ts';
import { ASKED_NAMES, type AskedEncoding, LEGACY_NAMES, paidCurrencies } from '../../app/check/reading.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import { railsOf } from '../../domain/rails/registry.ts';
import { messages } from '../../messages/messages.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { option } from '../shell/parts.ts';
import type { Upload } from './uploads.ts';

/** A field of how the file is read, and the error that it answers, where it answers one: by its code, of a rail by its currency. */
export type ReadingField = { field: Html; asks: ProblemCode | null; currency?: string };

/** Where a problem asks how the file is to be read, or somebody chose it: sheet, encoding, sign of the decimals, currency, rails. */
export function readingForm(upload: Upload, result: CheckResult): Html | null {
  const fields = readingFields(upload, result);
  if (fields.length === 0) return null;
  return html`<section class="card" aria-labelledby="reading"><h2 id="reading">File settings</h2>
<form method="post" action="/uploads/${upload.id}/reading">${fields.map(({ field }) => field)}<button>Check again</button></form></section>`;
}

/** The fields of it. `isWhole`: also those of the currency and rails of rows that name none, though nothing asks for them. */
export function readingFields({ reading }: Upload, result: CheckResult, { isWhole = false } = {}): ReadingField[] {
  const { given_currency: currency, given_encoding: encoding } = result;
  const asked = askedIn([...result.problems, ...result.groups]);
  for (const [code, rail] of Object.entries(reading.rails))
    asked.rails.set(code, (asked.rails.get(code) ?? new Set()).add(rail));
  if (isWhole) for (const [code, rails] of railsOpen(result)) if (!asked.rails.has(code)) asked.rails.set(code, rails);
  const chosen = [result.sheet, reading.sheet].filter((name) => name !== null);
  const sheets = [...new Set([...chosen, ...asked.sheets])];
  const isCurrencyGiven = currency !== undefined && currency.source !== 'file';
  const isEncodingOpen = asked.readings.length > 0 || encoding !== undefined;
  const fields: (ReadingField | false)[] = [
    sheets.length > 1 && { field: sheetField(sheets, result.sheet), asks: asked.sheetCode },
    (isEncodingOpen || reading.encoding !== null) && {
      field: encodingField(asked.readings, reading.encoding, encodingUnchosen(encoding)),
      asks: asked.encodingCode,
    },
    (asked.decimal || reading.decimal !== null) && { field: decimalField(reading.decimal), asks: 'amount_ambiguous' },
    (isWhole || asked.currencies !== null || isCurrencyGiven || reading.currency !== null) && {
      field: currencyField(asked, reading.currency, currencyUnchosen(currency), isWhole),
      asks: asked.currencyCode,
    },
    (asked.folding || reading.foldReferences) && { field: foldingField(reading.foldReferences), asks: null },
    ...[...asked.rails].map(([code, rails]) => ({
      field: railField(code, { rails: [...rails], chosen: reading.rails[code] ?? '', isShort: isWhole }),
      asks: reading.rails[code] === undefined ? ('rail_several_fit' as const) : null,
      currency: code,
    })),
  ];
  return fields.filter((field) => field !== false);
}

/** More currencies have their rails in a column. */
const CURRENCIES_MAX = 8;

/** The rails of each currency that is paid, where no column names the rail and several pay it. */
function railsOpen({ totals, columns }: CheckResult): [currency: string, rails: Set<string>][] {
  if (columns.some(({ means }) => means === 'rail')) return [];
  return totals
    .slice(0, CURRENCIES_MAX)
    .map(({ currency }): [string, Set<string>] => [currency, new Set(railsOf(currency).map(({ name }) => name))])
    .filter(([, rails]) => rails.size > 1);
}

type Asked = {
  sheets: Set<string>;
  rails: Map<string, Set<string>>;
  decimal: boolean;
  /** What names of the file read as in the encodings that it may have. */
  readings: readonly EncodingReading[];
  /** Whether a reference can be written in characters that its rail carries. */
  folding: boolean;
  /** What rails pay, where the file has no column for it; or what it names twice. */
  currencies: readonly string[] | null;
  /** What the file implies. */
  proposed: string | null;
  /** The codes of the problems that ask for them. */
  sheetCode: ProblemCode | null;
  encodingCode: ProblemCode | null;
  currencyCode: ProblemCode | null;
};

/** What the problems leave to be chosen: sheets, the encoding, rails by currency, and the sign of the decimals. */
function askedIn(problems: readonly Pick<CheckProblem, 'code' | 'params'>[]): Asked {
  const asked: Asked = {
    sheets: new Set(),
    rails: new Map(),
    decimal: false,
    readings: [],
    folding: false,
    currencies: null,
    proposed: null,
    sheetCode: null,
    encodingCode: null,
    currencyCode: null,
  };
  for (const { code: text, params } of problems) {
    const code = text as ProblemCode;
    if (SHEET_CODES.has(code)) {
      for (const sheet of sheetsOf.parse(params).sheets) asked.sheets.add(sheet);
      asked.sheetCode = code;
    }
    if (code === 'encoding_undecided' || code === 'encoding_contradicted') asked.encodingCode = code;
    if (DECIMAL_CODES.has(code)) asked.decimal = true;
    if (code === 'encoding_undecided') asked.readings = undecided.parse(params).readings;
    if (code === 'encoding_contradicted') asked.readings = Object.values(contradicted.parse(params));
    if (code === 'reference_characters' && foldable.safeParse(params).success) asked.folding = true;
    const missing = code === 'column_missing' ? missingCurrency.safeParse(params).data : undefined;
    if (missing !== undefined) {
      asked.currencies = missing.paid;
      asked.proposed = missing.proposed?.code ?? null;
      asked.currencyCode = 'column_missing';
    }
    if (code === 'given_currencies_differ') {
      const { code: ofLine, other, otherRow } = differing.parse(params);
      // Of two lines one has to be corrected.
      if (otherRow === null) [asked.currencies, asked.currencyCode] = [[ofLine, other], 'given_currencies_differ'];
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
const encodingReading = z.object({ encoding: z.enum(ASKED_NAMES), names: z.array(z.string()) });
const undecided = z.object({ readings: z.array(encodingReading) });
const contradicted = z.object({ used: encodingReading, other: encodingReading });
type EncodingReading = z.output<typeof encodingReading>;

const foldable = z.object({ example: z.string() });
const differing = z.object({ code: z.string(), other: z.string(), otherRow: z.number().nullable() });

const missingCurrency = z.object({
  paid: z.array(z.string()),
  proposed: z.object({ code: z.string() }).nullable(),
});

/** What the file implies is offered first, or selected already, and a person confirms it. */
function currencyField(
  { currencies, proposed }: Asked,
  chosen: string | null,
  unchosen: string,
  isProposedSelected: boolean,
): Html {
  const selected = chosen ?? (isProposedSelected ? proposed : null);
  const offered = new Set([...(chosen === null ? [] : [chosen]), ...(currencies ?? paidCurrencies())]);
  const words = (code: string) => (code === proposed && code !== chosen ? t`${code}, as the file suggests` : code);
  const codes = [...offered].toSorted((a, b) => Number(b === proposed) - Number(a === proposed));
  return html`<label>Currency for rows without one <select name="currency">
${option('', unchosen, selected === null)}${codes.map((code) => option(code, words(code), code === selected))}
</select></label>`;
}

type Source = NonNullable<CheckResult['given_currency']>['source'];

/** Who gave it, where nobody chooses it here. */
const ELSEWHERE: Readonly<Record<Source, string | null>> = textTable({
  option: null,
  job: 'as the job says',
  remembered: 'as chosen for an earlier file',
  file: 'as a line above the header says',
});

function currencyUnchosen(given: CheckResult['given_currency']): string {
  const by = given === undefined ? null : ELSEWHERE[given.source];
  return by === null ? t`None` : `${given?.currency}, ${by}`;
}

function encodingUnchosen(given: CheckResult['given_encoding']): string {
  const by = given === undefined ? null : ELSEWHERE[given.source];
  return by === null || given === undefined ? t`As the file shows` : `${encodingText(given.encoding)}, ${by}`;
}

/** `Central Europe (windows-1250)`. */
export function encodingText(encoding: AskedEncoding): string {
  return `${messages.problems.encodingName(encoding)} (${encoding})`;
}

/** The encodings that the file may have with its names in each; the others without. */
function encodingField(readings: readonly EncodingReading[], chosen: AskedEncoding | null, unchosen: string): Html {
  const radio = (value: string, words: Html | string, isChosen: boolean) =>
    html`<label class="choice"><input type="radio" name="encoding" value="${value}"${isChosen && html` checked`}> <span>${words}</span></label>`;
  const shown = readings.map(({ encoding, names }) =>
    radio(encoding, html`${names.join(', ')} <span class="soft">${encodingText(encoding)}</span>`, encoding === chosen),
  );
  const offered: readonly AskedEncoding[] = chosen === 'utf-8' ? ASKED_NAMES : LEGACY_NAMES;
  const others = offered.filter((encoding) => readings.every((reading) => reading.encoding !== encoding));
  const isOther = chosen !== null && others.includes(chosen);
  return html`<fieldset><legend>${either(readings.length > 0, 'Which line shows the names correctly?', 'Encoding of the file')}</legend>
${readings.length === 0 && radio('', unchosen, chosen === null)}${shown}
<details${isOther && html` open`}><summary>${either(readings.length > 0, 'None of these: choose another encoding', 'Choose one')}</summary>${others.map((encoding) => radio(encoding, encodingText(encoding), encoding === chosen))}</details>
</fieldset>`;
}

function sheetField(sheets: readonly string[], chosen: string | null): Html {
  return html`<label>Sheet <select name="sheet">${chosen === null && option('', t`Choose a sheet`, false)}${sheets.map((name) => option(name, name, name === chosen))}</select></label>`;
}

function decimalField(chosen: string | null): Html {
  return html`<label>Decimal sign <select name="decimal">
${option('', t`As the column shows`, chosen === null)}${option('.', t`Point: 1,234.50`, chosen === '.')}${option(',', t`Comma: 1.234,50`, chosen === ',')}
</select></label>`;
}

function foldingField(isChosen: boolean): Html {
  return html`<label>Unsupported characters in references <select name="references">
${option('', t`Treat as errors`, !isChosen)}${option('fold', t`Replace them: Nómina becomes Nomina`, isChosen)}
</select></label>`;
}

type RailField = { rails: readonly string[]; chosen: string; isShort: boolean };

/** `isShort`: only the currency, where the heading already explains the field. */
function railField(currency: string, { rails, chosen, isShort }: RailField): Html {
  const words = isShort ? html`<span>${currency}</span>` : html`Rows in ${currency} without a rail are paid by`;
  return html`<label>${words} <select name="rail.${currency}">
${option('', t`None`, chosen === '')}${rails.map((rail) => option(rail, rail, rail === chosen))}
</select></label>`;
}
