import type { RunRow } from '../../domain/entry.ts';
import { t } from '../../messages/translate.ts';
import { type AccountSeen, accountSeen } from '../../report/model/identifiers.ts';
import { type Html, html } from './html.ts';

/** What a rail is called where people see it; the same in all languages. */
const WAYS: Readonly<Record<string, string>> = {
  ACH: 'ACH',
  CHATS: 'CHATS',
  GBP_FPS: 'Faster Payments',
  FPS: 'FPS',
  IMPS: 'IMPS',
  NPP: 'NPP',
  PIX: 'Pix',
  SEPA: 'SEPA',
  SPEI: 'SPEI',
  SWIFT: 'SWIFT',
  WIRE: 'Fedwire',
};

const SHOWN_LENGTH = 4;

type Parts = { country: string; end: string; way: string };

/** Null for an account that the input names by the service's id. */
function partsOf({ account, rail, country }: AccountSeen): Parts | null {
  if (rail === null) return null;
  const way = rail === 'WEB3' ? t`Wallet` : (WAYS[rail] ?? WAYS[rail.slice(4)] ?? rail);
  return { country: country === null ? '' : `${country} `, end: shortAccount(account), way };
}

/** `GB ••2490 Faster Payments`: the country, the last four characters, and how it is paid. */
export function shownAccount(seen: AccountSeen): Html {
  const parts = partsOf(seen);
  if (parts === null) return html`<span class="id">${seen.account}</span>`;
  const { country, end, way } = parts;
  return html`<span class="account">${country}${end} <small>${way}</small></span>`;
}

/** That of a row; null where it pays nothing. */
export function orderAccount(order: RunRow['order'] | undefined): Html | null {
  return order ? shownAccount(accountSeen(order.destination)) : null;
}

/** The same without mark-up. */
export function accountWords(seen: AccountSeen): string {
  const parts = partsOf(seen);
  return parts === null ? seen.account : `${parts.country}${parts.end} ${parts.way}`;
}

/** `••2490` of an account of which nothing else is known. */
export function shortAccount(masked: string): string {
  const end = masked.slice(-SHOWN_LENGTH);
  return end.startsWith('•') ? '••' : `••${end}`;
}
