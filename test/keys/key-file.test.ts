import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyFile, KeyFileError, readKeyFile, suggestKeyId } from '../../src/keys/key-file.ts';
import { nobleBackend } from '../../src/keys/noble-backend.ts';
import { keyFileText } from '../../src/messages/refusals/key-words.ts';

/** RFC 8410, section 10.3: the same key without and with attributes and its public key. */
const RFC8410_SHORT = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
`;
const RFC8410_LONG = `-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
`;
const RFC8410_PUBLIC = '19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1';

const randomness = { bytes: (count: number) => new Uint8Array(count).fill(0x42) };
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a new key file', () => {
  it('has mode 0600 whatever the umask, and reads back as the same key', () => {
    for (const umask of [0o000, 0o022, 0o277]) {
      const path = join(folder, `umask-${umask.toString(8)}.pem`);
      const before = process.umask(umask);
      try {
        createKeyFile(path, randomness);
      } finally {
        process.umask(before);
      }
      expect(modeOf(path)).toBe('600');
    }
    const made = createKeyFile(join(folder, 'new.pem'), randomness);
    expect(hex(readKeyFile(join(folder, 'new.pem')).publicKey)).toBe(hex(made.publicKey));
  });

  it('is PKCS#8 that OpenSSL reads, of exactly the bytes that randomness gave', () => {
    const path = join(folder, 'new.pem');
    const made = createKeyFile(path, randomness);
    const opened = createPrivateKey(readFileSync(path));
    expect(opened.asymmetricKeyType).toBe('ed25519');
    expect(opened.export({ format: 'jwk' }).d).toBe(Buffer.alloc(32, 0x42).toString('base64url'));
    expect(verify(null, Buffer.from('x'), createPublicKey(opened), made.sign(Buffer.from('x')))).toBe(true);
  });

  it('never takes the place of another', () => {
    const path = join(folder, 'kept.pem');
    writeFileSync(path, 'the only copy');
    expect(refusal(() => createKeyFile(path, randomness))).toMatchObject({ fault: { code: 'exists', path } });
    expect(readFileSync(path, 'utf8')).toBe('the only copy');
  });

  it('is not made through a dangling symbolic link', () => {
    symlinkSync(join(folder, 'elsewhere.pem'), join(folder, 'link.pem'));
    expect(refusal(() => createKeyFile(join(folder, 'link.pem'), randomness)).fault.code).toBe('exists');
    expect(readdirSync(folder)).toEqual(['link.pem']);
  });

  it('needs a folder that is there', () => {
    expect(refusal(() => createKeyFile(join(folder, 'no', 'key.pem'), randomness))).toMatchObject({
      fault: { code: 'unwritable', cause: 'ENOENT' },
    });
  });
});

describe('reading a key file', () => {
  it.each(['0600', '0400', '0700'])('accepts mode %s', (mode) => {
    expect(hex(readKeyFile(keyFile(RFC8410_SHORT, Number.parseInt(mode, 8))).publicKey)).toBe(RFC8410_PUBLIC);
  });

  it.each(['0644', '0640', '0604', '0660', '0610', '0601', '0666', '0777'])('refuses mode %s', (mode) => {
    const path = keyFile(RFC8410_SHORT, Number.parseInt(mode, 8));
    const error = refusal(() => readKeyFile(path));
    expect(error.fault.code).toBe('mode_too_wide');
    expect(keyFileText(error.fault)).toEqual([
      `the key file ${path} has mode ${mode}: its permissions are too open`,
      `chmod 600 ${path}`,
    ]);
  });

  it('gives a remedy that works as it stands in a shell, also for a path with blanks and quotes', () => {
    mkdirSync(join(folder, "my keys'"));
    const path = join(folder, "my keys'", 'a b.pem');
    writeFileSync(path, RFC8410_SHORT, { mode: 0o644 });
    execFileSync('sh', ['-c', keyFileText(refusal(() => readKeyFile(path)).fault)[1]]);
    expect(hex(readKeyFile(path).publicKey)).toBe(RFC8410_PUBLIC);
  });

  it('follows a link to the mode of the file itself, as mounted secrets are links', () => {
    symlinkSync(keyFile(RFC8410_SHORT, 0o600), join(folder, 'link.pem'));
    expect(hex(readKeyFile(join(folder, 'link.pem')).publicKey)).toBe(RFC8410_PUBLIC);
    chmodSync(join(folder, 'key.pem'), 0o644);
    expect(refusal(() => readKeyFile(join(folder, 'link.pem'))).fault.code).toBe('mode_too_wide');
  });

  it('reads the same key in both forms of RFC 8410, with CRLF, with text around, and by noble', () => {
    for (const text of [RFC8410_SHORT, RFC8410_LONG, RFC8410_SHORT.replaceAll('\n', '\r\n'), `Key\n${RFC8410_SHORT}`]) {
      expect(hex(readKeyFile(keyFile(text)).publicKey)).toBe(RFC8410_PUBLIC);
      expect(hex(readKeyFile(keyFile(text), nobleBackend).publicKey)).toBe(RFC8410_PUBLIC);
    }
  });

  it('reads what OpenSSL writes', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const path = keyFile(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    expect(Buffer.from(readKeyFile(path).publicKey).toString('base64url')).toBe(publicKey.export({ format: 'jwk' }).x);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ed = generateKeyPairSync('ed25519');
  const x25519 = generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const swapped = Buffer.from(RFC8410_LONG.replace(/-.*-/g, ''), 'base64');
  swapped[swapped.length - 1] = 0;
  it.each([
    { what: 'nothing', text: '', code: 'not_pem', says: 'is not a PEM file' },
    { what: 'garbage', text: '\u0000\u00ff garbage', code: 'not_pem', says: 'is not a PEM file' },
    { what: 'a seed in hex', text: '42'.repeat(32), code: 'not_pem', says: 'is not a PEM file' },
    { what: 'two keys', text: RFC8410_SHORT + RFC8410_SHORT, code: 'not_pem', says: 'holds 2 PEM blocks' },
    { what: 'an RSA key', text: pem(rsa.privateKey, 'pkcs8'), code: 'not_ed25519', says: 'an RSA key, not an Ed25519' },
    { what: 'an old RSA key', text: pem(rsa.privateKey, 'pkcs1'), code: 'not_ed25519', says: 'an RSA key' },
    { what: 'an EC key', text: pem(ec.privateKey, 'pkcs8'), code: 'not_ed25519', says: 'an elliptic-curve (EC) key' },
    {
      what: 'an old EC key',
      text: pem(ec.privateKey, 'sec1'),
      code: 'not_ed25519',
      says: 'an elliptic-curve (EC) key',
    },
    { what: 'an X25519 key', text: x25519, code: 'not_ed25519', says: 'an X25519 key' },
    {
      what: 'the public key',
      text: ed.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      code: 'not_private',
      says: 'holds a public key',
    },
    {
      what: 'an encrypted key',
      text: ed.privateKey
        .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' })
        .toString(),
      code: 'encrypted',
      says: 'is encrypted with a passphrase',
    },
    { what: 'an OpenSSH key', text: asPem('OPENSSH PRIVATE KEY', 'AAAA'), code: 'not_pkcs8', says: 'OPENSSH' },
    { what: 'no base64', text: asPem('PRIVATE KEY', '####'), code: 'damaged', says: 'base64' },
    {
      what: 'a cut key',
      text: RFC8410_SHORT.replace('9EdVhC', ''),
      code: 'damaged',
      says: 'is damaged',
    },
    {
      what: 'a key of 31 bytes',
      text: derPem(`302d020100300506032b65700421041f${'01'.repeat(31)}`),
      code: 'damaged',
      says: 'PKCS#8',
    },
    {
      what: 'bytes after the key',
      text: derPem(`302e020100300506032b657004220420${'01'.repeat(32)}00`),
      code: 'damaged',
      says: 'PKCS#8',
    },
    {
      what: 'another public key inside',
      text: derPem(swapped.toString('hex')),
      code: 'damaged',
      says: 'another private key',
    },
  ])('refuses $what: $code', ({ text, code, says }) => {
    const error = refusal(() => readKeyFile(keyFile(text)));
    expect(error.fault.code).toBe(code);
    const [message, remedy] = keyFileText(error.fault);
    expect(message).toContain(says);
    expect(remedy).not.toBe('');
  });

  it('refuses what is not there, a folder, and a file that is too large', () => {
    expect(refusal(() => readKeyFile(join(folder, 'none.pem'))).fault.code).toBe('not_found');
    expect(refusal(() => readKeyFile(join(keyFile('x'), 'below.pem'))).fault.code).toBe('not_found');
    expect(refusal(() => readKeyFile(folder)).fault.code).toBe('not_a_file');
    expect(refusal(() => readKeyFile(keyFile(' '.repeat(20_000)))).fault.code).toBe('too_large');
  });

  it('refuses a named pipe instead of waiting for somebody to write to it', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    // In a process of its own: if it did wait, nothing inside this one could end the test.
    const module = new URL('../../src/keys/key-file.ts', import.meta.url).href;
    const script = `import { readKeyFile } from ${JSON.stringify(module)};
      try { readKeyFile(${JSON.stringify(pipe)}) } catch (error) { console.log(error.fault.code) }`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
    expect(printed.toString().trim()).toBe('not_a_file');
  });

  it.skipIf(process.getuid?.() === 0)('refuses a file that its user may not read (root may read anything)', () => {
    expect(refusal(() => readKeyFile(keyFile(RFC8410_SHORT, 0o200))).fault.code).toBe('unreadable');
  });

  it('never repeats the secret in what it says', () => {
    const damaged = RFC8410_SHORT.replace('MC4C', 'MC5C');
    const error = refusal(() => readKeyFile(keyFile(damaged)));
    expect(`${keyFileText(error.fault).join()}${error.message}${error.stack}`).not.toContain('INTuctv5');
  });
});

it('suggests a key id from the public key alone', () => {
  expect(suggestKeyId(Buffer.from(RFC8410_PUBLIC, 'hex'))).toMatch(/^key_[0-9a-f]{16}$/);
  expect(suggestKeyId(Buffer.from(RFC8410_PUBLIC, 'hex'))).toBe(suggestKeyId(Buffer.from(RFC8410_PUBLIC, 'hex')));
  expect(suggestKeyId(new Uint8Array(32))).toBe('key_66687aadf862bd77');
});

function keyFile(text: string, mode = 0o600): string {
  const path = join(folder, 'key.pem');
  rmSync(path, { force: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function refusal(work: () => unknown): KeyFileError {
  try {
    work();
  } catch (error) {
    if (error instanceof KeyFileError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function pem(key: ReturnType<typeof createPrivateKey>, type: 'pkcs8' | 'pkcs1' | 'sec1'): string {
  return key.export({ format: 'pem', type: type as 'pkcs8' }).toString();
}

function derPem(der: string): string {
  return asPem('PRIVATE KEY', Buffer.from(der, 'hex').toString('base64'));
}

function asPem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
