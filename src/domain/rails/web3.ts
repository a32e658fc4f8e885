import { keccak_256 } from '@noble/hashes/sha3.js';
import { chainsOf } from '../currencies.ts';
import { findings, missing } from './fields/digits.ts';
import { type Finding, NO_FIELDS, type Rail } from './rail.ts';

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

const LETTER_A = 65;
const LETTER_A_LOWER = 97;

export const WEB3: Rail = {
  name: 'WEB3',
  currency: null,
  source: 'Ethereum Yellow Paper (addresses of 20 bytes), EIP-55 (mixed-case checksum)',
  referenceMax: null,
  normalise: (fields) => ({
    ...NO_FIELDS,
    wallet_address: fields.wallet_address.trim(),
    chain: fields.chain.trim().toLowerCase(),
  }),
  check: (fields) => findings(checkAddress(fields.wallet_address), checkChain(fields.chain)),
  checkReference: (reference) =>
    reference === ''
      ? []
      : [
          {
            severity: 'warning',
            code: 'reference_not_carried',
            field: 'reference',
            message: 'A transfer to a wallet carries no reference, so the payee will not see this one.',
            remedy: 'Tell the payee by other means, or leave the reference empty.',
          },
        ],
};

function checkAddress(address: string): Finding | null {
  if (address === '') return missing({ field: 'wallet_address', code: 'wallet_address', label: 'wallet address' });
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return noAddress(address);
  const hex = address.slice(2);
  if (/^0{40}$/.test(hex))
    return wallet('error', 'wallet_address_zero', 'This is the zero address: what is sent there is lost for ever.');
  const lower = hex.toLowerCase();
  if (TOKEN_CONTRACTS.has(lower))
    return wallet(
      'error',
      'wallet_address_token_contract',
      'This is the address of a token itself and of no wallet: what is sent there is lost for ever.',
    );
  if (isChecksummed(hex, lower)) return null;
  if (hex === lower || hex === hex.toUpperCase())
    return wallet(
      'warning',
      'wallet_address_no_checksum',
      'The wallet address is in one case only, so a wrong character in it cannot be noticed.',
    );
  return wallet(
    'error',
    'wallet_address_checksum',
    'The checksum of the wallet address is wrong, so at least one character is.',
  );
}

/** Without its 0x an address can still prove that it is one: by a checksum in mixed case. */
function noAddress(text: string): Finding {
  const finding = wallet(
    'error',
    'wallet_address_invalid',
    'This is not a wallet address: 0x and 40 digits or letters a to f.',
  );
  const isWithoutPrefix =
    /^(?=.*[a-f])(?=.*[A-F])[0-9a-fA-F]{40}$/.test(text) && isChecksummed(text, text.toLowerCase());
  return isWithoutPrefix ? { ...finding, suggestion: `0x${text}` } : finding;
}

function checkChain(chain: string): Finding | null {
  if (chain === '') return missing({ field: 'chain', code: 'chain', label: 'chain' });
  if (CHAINS.has(chain)) return null;
  return {
    severity: 'error',
    code: 'chain_unknown',
    field: 'chain',
    message: 'This is not a chain that payouts reach.',
    remedy: `Write one of ${[...CHAINS].join(', ')}.`,
  };
}

/** Whether each letter is upper case just where the hash of the lower-case digits has a digit of 8 or more (EIP-55). */
function isChecksummed(hex: string, lower: string): boolean {
  const hash = keccak_256(asciiBytes(lower));
  for (let at = 0; at < hex.length; at++) {
    const unit = hex.charCodeAt(at);
    if (unit < LETTER_A) continue;
    const nibble = ((hash[at >> 1] ?? 0) >> (at % 2 === 0 ? 4 : 0)) & 15;
    if (unit < LETTER_A_LOWER !== nibble >= 8) return false;
  }
  return true;
}

function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function wallet(severity: Finding['severity'], code: string, message: string): Finding {
  return { severity, code, field: 'wallet_address', message, remedy: 'Copy the address again from the wallet itself.' };
}
