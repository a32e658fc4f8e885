import { isCrypto } from '../currencies.ts';
import { LOCAL_RAILS } from './local-rails.ts';
import { RAIL_NAMES, type Rail, type RailName } from './rail.ts';
import { SWIFT_RAILS } from './swift-rails.ts';
import { WEB3 } from './web3.ts';

/** A name of the specification without its rules here does not compile. */
const BY_NAME: Readonly<Record<RailName, Rail>> = { ...LOCAL_RAILS, ...SWIFT_RAILS, WEB3 };

/** Every rail, in the order of the specification. */
export const RAILS: readonly Rail[] = RAIL_NAMES.map((name) => BY_NAME[name]);

const BY_CURRENCY: ReadonlyMap<string | null, readonly Rail[]> = Map.groupBy(RAILS, ({ currency }) => currency);

const NAMES: ReadonlySet<string> = new Set(RAIL_NAMES);

export function railOf(name: RailName): Rail {
  return BY_NAME[name];
}

/** The rails that pay a currency, by its code in upper case; none for one that no rail pays. */
export function railsOf(currency: string): readonly Rail[] {
  return BY_CURRENCY.get(isCrypto(currency) ? null : currency) ?? [];
}

/** The rail that a text names, in any case and with blanks or hyphens for the underscore, or null. */
export function railNameOf(text: string): RailName | null {
  if (NAMES.has(text)) return text as RailName;
  const exact = text.toUpperCase().replace(/[\s-]+/g, '_');
  return NAMES.has(exact) ? (exact as RailName) : null;
}
