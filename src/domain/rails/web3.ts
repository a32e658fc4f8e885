import { chainsOf } from '../currencies.ts';
import { keccak256, lowerCaseHex } from '../hashing.ts';
import { defineRail } from './define-rail.ts';
import { error, type Found, NOTHING, suggesting, warning } from './rail.ts';

/** Every chain on which an asset is known. All of them are EVM chains, with one form of address. */
const CHAINS: ReadonlySet<string> = new Set(['USDC', 'USDT', 'ETH'].flatMap(chainsOf));

/** Circle's and Tether's contracts on these chains, in lower case without 0x. People copy them for the address of a wallet. */
const TOKEN_CONTRACTS: ReadonlySet<string> = new Set([
  'a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  '2791bca1f2de4661ed88a30c99a7a9449aa84174',
  'af88d065e77c8cc2239327c5edb3a432268e5831',
  'ff970a61a04b1ca14834a43f5de4533ebddb5cc8',
  'dac17f958d2ee523a2206206994597c13d831ec7',
  'c2132d05d31c914a87c6611c10748aeb04b58e8f',
  'fd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
]);

export const WEB3 = defineRail({
  name: 'WEB3',
  currency: null,
  source: 'Ethereum Yellow Paper (addresses of 20 bytes), EIP-55 (mixed-case checksum)',
  fields: { wallet_address: checkAddress, chain: checkChain },
  normalise: { wallet_address: (text) => text.trim(), chain: (text) => text.trim().toLowerCase() },
  reference: null,
});

function checkAddress(address: string): readonly Found[] {
  if (address === '') return error('wallet_address_missing', { field: 'wallet_address' });
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
    // Without its 0x an address can still prove that it is one: by a checksum in mixed case.
    const isProven =
      /^(?=.*[a-f])(?=.*[A-F])[0-9a-fA-F]{40}$/.test(address) && isChecksummed(address, lowerCaseHex(address));
    return suggesting(error('wallet_address_invalid'), isProven ? `0x${address}` : undefined);
  }
  const hex = address.slice(2);
  const lower = lowerCaseHex(hex);
  if (/^0{40}$/.test(hex)) return error('wallet_address_zero');
  if (TOKEN_CONTRACTS.has(lower)) return error('wallet_address_token_contract');
  if (isChecksummed(hex, lower)) return NOTHING;
  const isOfOneCase = hex === lower || hex === hex.toUpperCase();
  return isOfOneCase ? warning('wallet_address_no_checksum') : error('wallet_address_checksum');
}

function checkChain(chain: string): readonly Found[] {
  if (chain === '') return error('chain_missing', {});
  return CHAINS.has(chain) ? NOTHING : error('chain_unknown', { chains: [...CHAINS] });
}

/** The digits of a valid address, `0x…`, by which it is the same in whatever case. */
export function lowerCaseAddress(address: string): string {
  return lowerCaseHex(address.slice(2));
}

const EIGHT = 0x38;
const NINE = 0x39;

/** Whether each letter is upper case just where the hash of the lower-case digits has a digit of 8 or more (EIP-55). */
function isChecksummed(hex: string, lower: string): boolean {
  const digits = keccak256(lower);
  for (let at = 0; at < hex.length; at++) {
    const isLetter = lower.charCodeAt(at) > NINE;
    const isUpper = hex.charCodeAt(at) !== lower.charCodeAt(at);
    if (isLetter && isUpper !== digits.charCodeAt(at) >= EIGHT) return false;
  }
  return true;
}
