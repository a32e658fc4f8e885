import { isCrypto } from '../../domain/currencies.ts';
import type { RailName } from '../../domain/rails/rail.ts';
import { railNameOf, railOf, railsOf } from '../../domain/rails/registry.ts';

/** The rail of the rows that name none, by the code of their currency. */
export type DefaultRails = ReadonlyMap<string, RailName>;

export type DefaultRail = { ok: true; code: string; rail: RailName } | { ok: false; message: string };

/** Reads `EUR=EUR_SEPA`: the code of a currency, and a rail that pays it. */
export function parseDefaultRail(text: string): DefaultRail {
  const [, written = '', name = ''] = /^\s*([A-Za-z]+)\s*=(.*)$/s.exec(text) ?? [];
  if (written === '') return { ok: false, message: `write ${text} as a currency and its rail, such as EUR=EUR_SEPA` };
  const code = written.toUpperCase();
  const paying = railsOf(code);
  if (paying.length === 0) return { ok: false, message: `no rail pays ${code}` };
  const choice = `write one of ${paying.map((rail) => `${code}=${rail.name}`).join(', ')}`;
  const rail = railNameOf(name.trim());
  if (rail === null) return { ok: false, message: `${name.trim() || 'nothing'} is not the name of a rail: ${choice}` };
  const { currency } = railOf(rail);
  if (currency === null ? isCrypto(code) : currency === code) return { ok: true, code, rail };
  return { ok: false, message: `${rail} pays ${currency ?? 'crypto assets'}, not ${code}: ${choice}` };
}
