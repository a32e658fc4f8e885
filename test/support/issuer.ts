import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from './certificate.ts';

/** Who issues certificates, such as a company to its own servers. */
export type Issuer = {
  /** Its own certificate, a PEM file. */
  file: string;
  /** A certificate for a name, valid over these days from now: by default from yesterday until tomorrow. */
  issue(name: string, days?: readonly [from: number, until: number]): Certificate;
};

const CONFIG = `[ca]
default_ca = own
[own]
database = index
new_certs_dir = .
default_md = sha256
rand_serial = yes
unique_subject = no
policy = any
copy_extensions = copy
[any]
commonName = supplied
`;

/** A new issuer by the openssl command in this folder; null where there is no openssl. */
export function newIssuer(folder: string): Issuer | null {
  mkdirSync(folder, { recursive: true });
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl(
      'req',
      '-x509',
      ...key,
      '-days',
      '2',
      '-subj',
      '/CN=Own issuer',
      '-keyout',
      'issuer.key',
      '-out',
      'issuer.pem',
    );
  } catch {
    return null;
  }
  writeFileSync(join(folder, 'config'), CONFIG);
  writeFileSync(join(folder, 'index'), '');
  return {
    file: join(folder, 'issuer.pem'),
    issue(name, [from, until] = [-1, 1]) {
      const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
      openssl('req', '-new', ...key, ...names, '-keyout', 'one.key', '-out', 'one.csr');
      const by = ['-config', 'config', '-cert', 'issuer.pem', '-keyfile', 'issuer.key', '-batch', '-notext'];
      openssl('ca', ...by, '-startdate', inDays(from), '-enddate', inDays(until), '-in', 'one.csr', '-out', 'one.pem');
      const read = (file: string) => readFileSync(join(folder, file), 'utf8');
      return { key: read('one.key'), cert: read('one.pem') };
    },
  };
}

/** As openssl writes a time: `YYYYMMDDHHMMSSZ`. */
function inDays(days: number): string {
  const time = new Date(Date.now() + days * 86_400_000).toISOString();
  return time.replace(/\.\d+Z$/, 'Z').replace(/[-:T]/g, '');
}
