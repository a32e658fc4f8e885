import type { Destination } from '../../domain/payee.ts';
import type { RailName } from '../../domain/rails/rail-names.ts';
import { codeElement, group } from './xml.ts';

/**
 * Subfamilies of issued credit transfers (PMNT, ICDT) in ISO's external bank transaction code set: `ESCT` of SEPA, `DMCT`
 * within a country, `XBCT` across borders, `OTHR` any other.
 */
type SubFamily = 'ESCT' | 'DMCT' | 'XBCT' | 'OTHR';

const OF_RAILS: Readonly<Record<RailName, SubFamily>> = {
  AUD_NPP: 'DMCT',
  USD_ACH: 'DMCT',
  USD_WIRE: 'DMCT',
  USD_SWIFT: 'XBCT',
  SGD_SWIFT: 'XBCT',
  HKD_SWIFT: 'XBCT',
  HKD_FPS: 'DMCT',
  HKD_CHATS: 'DMCT',
  CNY_SWIFT: 'XBCT',
  MXN_SPEI: 'DMCT',
  MXN_SWIFT: 'XBCT',
  COP_SWIFT: 'XBCT',
  BRL_PIX: 'DMCT',
  BRL_SWIFT: 'XBCT',
  GBP_FPS: 'DMCT',
  EUR_SEPA: 'ESCT',
  EUR_SWIFT: 'XBCT',
  INR_IMPS: 'DMCT',
  INR_SWIFT: 'XBCT',
  AED_SWIFT: 'XBCT',
  IDR_SWIFT: 'XBCT',
  WEB3: 'OTHR',
};

/** What kind of movement an entry is. The rail of an account that is named at the service is not known. */
export function transactionCode(destination: Destination): string {
  const subFamily = destination.kind === 'account' ? OF_RAILS[destination.rail] : 'OTHR';
  const family = group('Fmly', codeElement('Cd', 'ICDT'), codeElement('SubFmlyCd', subFamily));
  return group('BkTxCd', group('Domn', codeElement('Cd', 'PMNT'), family));
}
