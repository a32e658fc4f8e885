import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const PROJECT = join(import.meta.dirname, '../..');

type Manifest = { dependencies: Record<string, string> };

/** What starts a process of its own, or is imported by name. Each has to lie beside what starts it. */
const PUBLISHED = {
  main: join(PROJECT, 'src/cli/main.ts'),
  index: join(PROJECT, 'src/index.ts'),
  'convert-process': join(PROJECT, 'src/platform/xlsx/conversion/convert-process.ts'),
};

/**
 * Compiles `src` into few files, from which a process starts in less time than from hundreds of modules, with the page's
 * files and the translations beside them. `more` are further programs. Where the packages are installed beside them, as they are for users, they
 * are imported from there; else they are compiled in.
 */
export async function bundle(folder: string, { more = {}, hasPackages }: BundleOptions): Promise<void> {
  cpSync(join(PROJECT, 'src/cli/bin.cjs'), join(folder, 'bin.cjs'));
  cpSync(join(PROJECT, 'src/web/static'), join(folder, 'static'), { recursive: true });
  cpSync(join(PROJECT, 'src/messages/translations'), join(folder, 'translations'), { recursive: true });
  await build({
    input: { ...PUBLISHED, ...more },
    platform: 'node',
    logLevel: 'silent',
    external: hasPackages ? packages() : [],
    output: { dir: folder, format: 'esm', hashCharacters: 'hex' },
  });
}

export type BundleOptions = { more?: Readonly<Record<string, string>>; hasPackages: boolean };

/** Each with its subpaths. */
function packages(): RegExp[] {
  const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest;
  return Object.keys(manifest.dependencies).map((name) => new RegExp(`^${RegExp.escape(name)}(?:/|$)`));
}

/** `npm run build`: the package's `dist/cli`. */
if (import.meta.main) {
  await bundle(join(PROJECT, 'dist/cli'), { hasPackages: true });
}
