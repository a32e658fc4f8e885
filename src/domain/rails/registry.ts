import { isCrypto } from '../currencies.ts';
import { AUD_NPP } from './aud-npp.ts';
import { BRL_PIX } from './brl-pix.ts';
import { CNY_SWIFT } from './cny-swift.ts';
import { COP_SWIFT, IDR_SWIFT } from './cop-idr-swift.ts';
import { EUR_SEPA } from './eur-sepa.ts';
import { GBP_FPS } from './gbp-fps.ts';
import { HKD_CHATS, HKD_FPS } from './hkd-fps-chats.ts';
import { AED_SWIFT, BRL_SWIFT, EUR_SWIFT } from './iban-swift.ts';
import { INR_IMPS } from './inr-imps.ts';
import { INR_SWIFT } from './inr-swift.ts';
import { MXN_SPEI } from './mxn-spei.ts';
import { MXN_SWIFT } from './mxn-swift.ts';
import { RAIL_NAMES, type Rail, type RailName } from './rail.ts';
import { USD_ACH } from './usd-ach.ts';
import { HKD_SWIFT, SGD_SWIFT, USD_SWIFT } from './usd-sgd-hkd-swift.ts';
import { USD_WIRE } from './usd-wire.ts';
import { WEB3 } from './web3.ts';

/** A name of the specification without its rules here does not compile. */
const BY_NAME: Readonly<Record<RailName, Rail>> = {
  AUD_NPP,
  USD_ACH,
  USD_WIRE,
  USD_SWIFT,
  SGD_SWIFT,
  HKD_SWIFT,
  HKD_FPS,
  HKD_CHATS,
  CNY_SWIFT,
  MXN_SPEI,
  MXN_SWIFT,
  COP_SWIFT,
  BRL_PIX,
  BRL_SWIFT,
  GBP_FPS,
  EUR_SEPA,
  EUR_SWIFT,
  INR_IMPS,
  INR_SWIFT,
  AED_SWIFT,
  IDR_SWIFT,
  WEB3,
};

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
