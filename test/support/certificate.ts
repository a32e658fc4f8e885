import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Certificate = { key: string; cert: string };

/**
 * A new self-signed certificate for `localhost`, 127.0.0.1 and ::1 by the openssl command, or null where there is none:
 * Node itself can make keys but no certificates. Tests that need it skip visibly.
 */
export function selfSigned(): Certificate | null {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1'];
  try {
    execFileSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
