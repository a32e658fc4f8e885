import { type Currency, isCrypto } from '../../domain/currencies.ts';
import { fault } from '../../domain/problem.ts';
import type { Rail, RailFields, RailName } from '../../domain/rails/rail.ts';
import { fieldsTaken, inferRail } from '../../domain/rails/rail-inference.ts';
import { RAILS, railNameOf, railOf, railsOf } from '../../domain/rails/registry.ts';
import type { Wanted } from '../../domain/refusals/settings-faults.ts';
import type { RowCells } from './row-cells.ts';

/** How many payouts go by a rail that their rows do not name. */
export type UnnamedRail = { rail: RailName; count: number };

/** The rails of a file's rows: the one that a row names, else that of its currency by default, else the only one that its fields fit. */
export class RowRails {
  readonly #defaults: DefaultRails;
  readonly #byDefault = new Map<RailName, number>();
  readonly #inferred = new Map<RailName, number>();
  /** Of the row that was read last; null where it names its rail. */
  #unnamed: RailName | null = null;
  #isDefault = false;

  constructor(defaults: DefaultRails = new Map()) {
    this.#defaults = defaults;
  }

  /** The rail of a row. Null with the problem noted, or where the row needs none. */
  read(cells: RowCells, currency: Currency | null): Rail | null {
    this.#unnamed = null;
    if (cells.text('rail') !== '') return readRail(cells);
    const byDefault = currency === null ? undefined : this.#defaults.get(currency.code);
    const rail = deduceRail(cells, currency, writtenFields(cells), byDefault);
    this.#unnamed = rail?.name ?? null;
    this.#isDefault = byDefault !== undefined;
    return rail;
  }

  /** Counts the row that was read last, which is paid. */
  count(): void {
    const rail = this.#unnamed;
    if (rail === null) return;
    const counts = this.#isDefault ? this.#byDefault : this.#inferred;
    counts.set(rail, (counts.get(rail) ?? 0) + 1);
  }

  /** Of payable rows, in order of first appearance. */
  get byDefault(): UnnamedRail[] {
    return Array.from(this.#byDefault, ([rail, count]) => ({ rail, count }));
  }

  get inferred(): UnnamedRail[] {
    return Array.from(this.#inferred, ([rail, count]) => ({ rail, count }));
  }
}

/** Reads a `rail` that is not empty. Null with the problem noted. */
function readRail(cells: RowCells): Rail | null {
  const name = railNameOf(cells.text('rail'));
  if (name !== null) return railOf(name);
  const code = currencyCode(cells);
  const meant = railMeant(cells.text('rail'), code);
  const unknown = fault('rail_unknown', { meant, rails: railsPaying(code) });
  cells.error('rail', meant === null ? unknown : { ...unknown, suggestion: meant });
  return null;
}

/**
 * The rail of a row that names none: the one by default, else by its currency and its fields. Null with the problem
 * noted, or where the row names an account that exists at the service and needs none. Where no rail fits the row is
 * refused, and the nearest one is returned, so that its checks show what is wrong.
 */
function deduceRail(
  cells: RowCells,
  currency: Currency | null,
  written: RailFields,
  byDefault: RailName | undefined,
): Rail | null {
  if (cells.text('external_account_id') !== '') return null;
  const code = currency?.code ?? currencyCode(cells);
  if (cells.has('external_account_id') && !cells.has('rail') && isEmpty(written)) {
    cells.error('external_account_id', fault('destination_missing'));
    return null;
  }
  if (byDefault !== undefined) return railOf(byDefault);
  const inferred = inferRail(code, written);
  switch (inferred.kind) {
    case 'one':
      return inferred.rail;
    case 'several': {
      const fitting = inferred.rails.map((rail) => ({ rail: rail.name, fields: fieldsTaken(rail, written) }));
      cells.error('rail', fault('rail_several_fit', { currency: code, fitting }));
      return null;
    }
    case 'none': {
      const misfits = inferred.misfits.map(({ rail, errors }) => ({
        rail: rail.name,
        codes: errors.map((error) => error.code),
      }));
      const nearest = inferred.nearest.name;
      cells.error('rail', fault('rail_none_fits', { currency: code, nearest, rails: railsPaying(code), misfits }));
      return inferred.nearest;
    }
    case 'unpaid': {
      const currencies = [...new Set(RAILS.flatMap((rail) => rail.currency ?? []))];
      // A currency that is wrong or missing is a problem of its own, and one is enough.
      if (currency !== null) cells.error('currency', fault('currency_without_rail', { currency: code, currencies }));
      else if (cells.has('rail')) cells.error('rail', fault('rail_missing', { rails: railsPaying(code) }));
      return null;
    }
  }
}

/** The fields of the destination as they are written. */
export function writtenFields(cells: RowCells): RailFields {
  return {
    account_number: cells.text('account_number'),
    national_clearing_code: cells.text('national_clearing_code'),
    bic: cells.text('bic'),
    account_type: cells.text('account_type'),
    wallet_address: cells.text('wallet_address'),
    chain: cells.text('chain'),
  };
}

/** Notes a rail that does not pay the row's currency. What is no currency at all has a problem of its own. */
export function checkCurrency(cells: RowCells, { name: rail, currency: pays }: Rail, currency: Currency | null): void {
  const code = currency?.code ?? currencyCode(cells);
  if (currency === null && !isCrypto(code)) return;
  if (pays === null ? isCrypto(code) : pays === code) return;
  cells.error('rail', fault('rail_currency_mismatch', { rail, pays, currency: code }));
}

function isEmpty(written: RailFields): boolean {
  return written.account_number === '' && written.wallet_address === '' && written.national_clearing_code === '';
}

function currencyCode(cells: RowCells): string {
  return cells.currencyText.toUpperCase();
}

/** The rails that pay a currency, or all of them where no rail does. */
function railsPaying(code: string): RailName[] {
  const fitting = railsOf(code);
  return (fitting.length > 0 ? fitting : RAILS).map(({ name }) => name);
}

/** The one rail of the currency whose scheme the text names, as in `SEPA Credit Transfer`; null where it is not one. */
function railMeant(text: string, code: string): RailName | null {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  const [meant, other] = railsOf(code).filter(({ name }) => words.includes(name.slice(name.indexOf('_') + 1)));
  return meant !== undefined && other === undefined ? meant.name : null;
}

/** The rail of the rows that name none, by the code of their currency. */
export type DefaultRails = ReadonlyMap<string, RailName>;

export type DefaultRail = { ok: true; code: string; rail: RailName } | { ok: false; wanted: Wanted };

/** Reads `EUR=EUR_SEPA`: the code of a currency, and a rail that pays it. */
export function parseDefaultRail(text: string): DefaultRail {
  const [, written = '', name = ''] = /^\s*([A-Za-z]+)\s*=(.*)$/s.exec(text) ?? [];
  if (written === '') return { ok: false, wanted: { form: 'default_rail', text } };
  const code = written.toUpperCase();
  const rails = railsOf(code).map((rail) => rail.name);
  if (rails.length === 0) return { ok: false, wanted: { form: 'paid_currency', code } };
  const rail = railNameOf(name.trim());
  if (rail === null) return { ok: false, wanted: { form: 'known_rail', name: name.trim(), code, rails } };
  const { currency: pays } = railOf(rail);
  if (pays === null ? isCrypto(code) : pays === code) return { ok: true, code, rail };
  return { ok: false, wanted: { form: 'fitting_rail', rail, pays, code, rails } };
}
