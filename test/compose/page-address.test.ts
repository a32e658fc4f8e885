import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageAddress } from '../../src/compose/page/address.ts';
import { readSettings } from '../../src/compose/settings.ts';
import { selfSigned } from '../support/certificate.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { refusedText } from '../support/refused.ts';

const CERTIFICATE = selfSigned();
const DAY_MS = 24 * 3_600_000;

function refusalOf(options: Record<string, unknown>, nowMs: number): string {
  try {
    pageAddress(readSettings(options, {}), nowMs);
  } catch (error) {
    const { kind, message, remedy } = refusedText(error);
    return `${kind}: ${message} ${remedy}`;
  }
  return 'taken';
}

test.runIf(CERTIFICATE !== null)(
  'a certificate that cannot be read, is none, or is not valid now is refused in words',
  () => {
    const folder = temporaryFolder();
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const now = Date.now();
    const told = (cert = tlsCert, nowMs = now) => refusalOf({ tlsCert: cert, tlsKey }, nowMs);
    writeFileSync(tlsKey, CERTIFICATE?.key ?? '', { mode: 0o600 });
    expect(told()).toMatch(/^usage: --tls-cert: ENOENT.* Check the path\.$/);
    expect(told(folder)).toMatch(/^usage: --tls-cert: EISDIR.* Check the path\.$/);
    writeFileSync(tlsCert, 'hello');
    expect(told()).toBe(
      `usage: --tls-cert: ${tlsCert} is no certificate. Give a PEM file that begins with the certificate.`,
    );
    writeFileSync(tlsCert, CERTIFICATE?.cert ?? '');
    expect(told()).toBe('taken');
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const remedy = 'Give one that is valid now, or set the clock of this machine.';
    expect(told(tlsCert, now + 3 * DAY_MS)).toBe(
      `usage: --tls-cert: ${tlsCert} ended on ${day(now + 2 * DAY_MS)}. ${remedy}`,
    );
    expect(told(tlsCert, now - DAY_MS)).toBe(`usage: --tls-cert: ${tlsCert} begins on ${day(now)}. ${remedy}`);
  },
);
