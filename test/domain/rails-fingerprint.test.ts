import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fingerprint, fingerprintText } from '../../src/domain/rails/fields/digits.ts';
import { NO_FIELDS, type RailFields } from '../../src/domain/rails/rail.ts';

describe('fingerprint', () => {
  const account: RailFields = {
    ...NO_FIELDS,
    account_number: 'de89 3704-0044',
    national_clearing_code: '062-000',
    bic: 'coba deff',
  };

  it('is made of type, clearing code, account and BIC, upper-cased, without blanks and hyphens', () => {
    expect(fingerprintText('EUR_SEPA', account)).toBe('EUR_SEPA|062000|DE8937040044|COBADEFF');
  });

  it('keeps the hyphens of an e-mail address, which tell two apart', () => {
    const pix = (account_number: string) => fingerprintText('BRL_PIX', { ...NO_FIELDS, account_number });
    expect(pix('ana-maria@example.com')).toBe('BRL_PIX||ANA-MARIA@EXAMPLE.COM|');
    expect(pix('anamaria@example.com')).not.toBe(pix('ana-maria@example.com'));
    expect(pix('123e4567-e89b-42d3-a456-426614174000')).toBe('BRL_PIX||123E4567E89B42D3A456426614174000|');
  });

  it('is made of chain and address for a wallet', () => {
    const wallet = { ...NO_FIELDS, wallet_address: '0xabCD', chain: 'polygon' };
    expect(fingerprintText('WEB3', wallet)).toBe('WEB3|POLYGON|0XABCD');
  });

  it('is the SHA-256 of that text in hexadecimal', () => {
    const expected = createHash('sha256').update('EUR_SEPA|062000|DE8937040044|COBADEFF').digest('hex');
    expect(fingerprint('EUR_SEPA', account)).toBe(expected);
  });
});
