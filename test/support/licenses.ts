import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file beside a compiled program that has the licenses of the packages in it. */
export const LICENSES = 'THIRD-PARTY-LICENSES';

/** The folder of a package, and its name, in the path of one of its modules: the last one, where packages are nested. */
const PACKAGE = /^(?<folder>.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/** Writes the licenses of the packages that compiled modules come from, each once. */
export function writeLicenses(folder: string, moduleIds: readonly string[]): void {
  const found = moduleIds.flatMap((id) => PACKAGE.exec(id)?.groups?.folder ?? []);
  const texts = new Set(Array.from(new Set(found), licenseOf));
  writeFileSync(join(folder, LICENSES), [...texts].toSorted().join(`${'-'.repeat(80)}\n\n`));
}

/** A few packages have no such file, and only say whose they are and which license they have. */
function licenseOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const by = typeof author === 'string' ? author : author?.name;
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (files.length === 0 && by !== undefined) texts.push(`By ${by}.`);
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}

type Manifest = { name: string; version: string; license: string; author?: string | { name: string } };
