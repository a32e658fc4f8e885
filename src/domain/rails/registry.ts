import { AUD_NPP } from './aud-npp.ts';
import { EUR_SEPA } from './eur-sepa.ts';
import { GBP_FPS } from './gbp-fps.ts';
import { INR_IMPS } from './inr-imps.ts';
import { MXN_SPEI } from './mxn-spei.ts';
import { RAIL_NAMES, type Rail, type RailName } from './rail.ts';
import { USD_ACH } from './usd-ach.ts';
import { USD_WIRE } from './usd-wire.ts';
import { WEB3 } from './web3.ts';

const RAILS: readonly Rail[] = [AUD_NPP, USD_ACH, USD_WIRE, MXN_SPEI, GBP_FPS, EUR_SEPA, INR_IMPS, WEB3];

const BY_NAME: ReadonlyMap<string, Rail> = new Map(RAILS.map((rail) => [rail.name, rail]));

const NAMES: ReadonlySet<string> = new Set(RAIL_NAMES);

/** The rail's rules, or null for a rail of the specification that this version cannot check and so does not pay. */
export function railOf(name: RailName): Rail | null {
  return BY_NAME.get(name) ?? null;
}

/** Every rail that can be paid. */
export function supportedRails(): readonly Rail[] {
  return RAILS;
}

/** The rail that a text names, in any case and with blanks or hyphens for the underscore, or null. */
export function railNameOf(text: string): RailName | null {
  if (NAMES.has(text)) return text as RailName;
  const exact = text.toUpperCase().replace(/[\s-]+/g, '_');
  return NAMES.has(exact) ? (exact as RailName) : null;
}
