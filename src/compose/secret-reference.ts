import { readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import { assert, Refusal } from '../domain/refusal.ts';
import { wrongSetting } from './wrong-setting.ts';

/**
 * The secret that `env:NAME` or `file:PATH` names. Throws a `Refusal` (`usage`) where it is not there, or where others than
 * its owner can read the file; `name` is the key that names it.
 */
export function secretOf(reference: string, name: string, environment: NodeJS.ProcessEnv): string {
  const [kind, rest] = [reference.slice(0, reference.indexOf(':')), reference.slice(reference.indexOf(':') + 1)];
  if (kind === 'env') {
    const value = environment[rest];
    if (value) return value.trim();
    throw wrongSetting('credentials', `${name}: the environment has no ${rest}.`, 'Set it, or name another source.');
  }
  assert(kind === 'file', 'a secret is secretOf to by env: or file:');
  try {
    if (process.platform !== 'win32' && (statSync(rest).mode & 0o077) !== 0) {
      throw wrongSetting('credentials', `${name}: the permissions of ${rest} are too open.`, `chmod 600 ${rest}`);
    }
    return readFileSync(rest, 'utf8').trim();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw wrongSetting('credentials', `${name}: ${rest} cannot be read.`, 'Check the path after file:.');
  }
}
