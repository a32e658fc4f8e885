import { type Currency, isCrypto } from '../../domain/currencies.ts';
import type { Rail, RailFields, RailName } from '../../domain/rails/rail.ts';
import { fieldsTaken, type Inference, inferRail } from '../../domain/rails/rail-inference.ts';
import { RAILS, railNameOf, railOf, railsOf } from '../../domain/rails/registry.ts';
import type { RowCells } from './row-cells.ts';

/** Reads a `rail` that is not empty. Null with the problem noted. */
export function readRail(cells: RowCells): Rail | null {
  const name = railNameOf(cells.text('rail'));
  if (name !== null) return railOf(name);
  const code = currencyCode(cells);
  const meant = railMeant(cells.text('rail'), code);
  cells.error('rail', {
    code: 'rail_unknown',
    message: 'This is not the name of a rail.',
    remedy: `Write ${meant ?? oneOf(railsPaying(code))}.`,
    ...(meant !== null && { suggestion: meant }),
  });
  return null;
}

/**
 * The rail of a row that names none: the one by default, else by its currency and its fields. Null with the problem
 * noted, or where the row names an account that exists at the service and needs none. Where no rail fits the row is
 * refused, and the nearest one is returned, so that its checks say what is wrong.
 */
export function deduceRail(
  cells: RowCells,
  currency: Currency | null,
  written: RailFields,
  byDefault?: RailName,
): Rail | null {
  if (cells.text('external_account_id') !== '') return null;
  const code = currency?.code ?? currencyCode(cells);
  if (cells.has('external_account_id') && !cells.has('rail') && isEmpty(written)) {
    cells.error('external_account_id', {
      code: 'destination_missing',
      message: 'The row names no account that exists at the service, and has no bank details.',
      remedy: 'Fill in external_account_id, or the columns of the account: account_number and what its rail needs.',
    });
    return null;
  }
  if (byDefault !== undefined) return railOf(byDefault);
  const inferred = inferRail(code, written);
  switch (inferred.kind) {
    case 'one':
      return inferred.rail;
    case 'several':
      noteSeveral(cells, code, inferred.rails, written);
      return null;
    case 'none':
      noteNone(cells, code, inferred);
      return inferred.nearest;
    case 'unpaid':
      // A currency that is wrong or missing is a problem of its own, and one is enough.
      if (currency !== null) noteUnpaid(cells, code);
      else if (cells.has('rail'))
        cells.error('rail', {
          code: 'rail_missing',
          message: 'The rail is missing.',
          remedy: `Write how the payee is paid: ${oneOf(railsPaying(code))}.`,
        });
      return null;
  }
}

/** Notes a rail that does not pay the row's currency. Of what is no currency at all, that is said already. */
export function checkCurrency(cells: RowCells, rail: Rail, currency: Currency | null): void {
  const code = currency?.code ?? currencyCode(cells);
  if ((currency === null && !isCrypto(code)) || (rail.currency === null ? isCrypto(code) : rail.currency === code))
    return;
  cells.error('rail', {
    code: 'rail_currency_mismatch',
    message: `${rail.name} pays ${rail.currency ?? 'crypto assets'}, and the row's currency is ${code}.`,
    remedy: 'Change the rail or the currency.',
  });
}

function noteSeveral(cells: RowCells, code: string, rails: Rail[], written: RailFields): void {
  const why = rails.map((rail) => `${rail.name} (${fieldsTaken(rail, written).join(', ')})`);
  cells.error('rail', {
    code: 'rail_several_fit',
    message: `The rail is missing, and the row fits ${rails.length} that pay ${code}: ${why.join(', ')}.`,
    remedy: { code: 'choose_rail', currency: code, rails: rails.map(({ name }) => name) },
  });
}

function noteNone(cells: RowCells, code: string, { misfits, nearest }: Extract<Inference, { kind: 'none' }>): void {
  const why = misfits.map(
    ({ rail, errors }) => `${rail.name} (${errors.map((error) => spoken(error.code)).join(', ')})`,
  );
  cells.error('rail', {
    code: 'rail_none_fits',
    message: `The rail is missing, and the row fits none that pays ${code}: ${why.join(', ')}.`,
    remedy: `Mend what is wrong for ${nearest.name}, which is nearest, or write the rail that is meant: ${oneOf(railsPaying(code))}.`,
  });
}

function isEmpty(written: RailFields): boolean {
  return written.account_number === '' && written.wallet_address === '' && written.national_clearing_code === '';
}

function currencyCode(cells: RowCells): string {
  return cells.text('currency').toUpperCase();
}

function noteUnpaid(cells: RowCells, code: string): void {
  const currencies = new Set(RAILS.map(({ currency }) => currency ?? 'crypto assets'));
  cells.error('currency', {
    code: 'currency_without_rail',
    message: `payrun has no rail that pays ${code}.`,
    remedy: `Pay this row in another way, or in one of ${[...currencies].join(', ')}.`,
  });
}

/** The rails that pay a currency, or all of them where no rail does. */
function railsPaying(code: string): readonly Rail[] {
  const fitting = railsOf(code);
  return fitting.length > 0 ? fitting : RAILS;
}

/** The one rail of the currency whose scheme the text names, as in `SEPA Credit Transfer`; null where it is not one. */
function railMeant(text: string, code: string): RailName | null {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  const [meant, other] = railsOf(code).filter(({ name }) => words.includes(name.slice(name.indexOf('_') + 1)));
  return meant !== undefined && other === undefined ? meant.name : null;
}

function oneOf(rails: readonly Rail[]): string {
  const names = rails.map(({ name }) => name).join(', ');
  return rails.length === 1 ? names : `one of ${names}`;
}

/** `bic missing` of `bic_missing`. */
function spoken(code: string): string {
  return code.replaceAll('_', ' ');
}
