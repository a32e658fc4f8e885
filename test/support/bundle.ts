import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { writeLicenses } from './licenses.ts';

const PROJECT = join(import.meta.dirname, '../..');

type Manifest = { dependencies: Record<string, string> };

/**
 * Packages with many modules that most commands load are compiled in also where they are installed. They stay
 * dependencies, so that `npm audit` and the bill of materials name them, and because our types import theirs. Other packages
 * are imported, so that users can replace them (`overrides`) and instrument them. With yargs and zod both compiled in, the peak of
 * `run` was a quarter higher.
 */
const COMPILED_IN: ReadonlySet<string> = new Set(['csv-parse', 'zod']);

/** What starts a process of its own, or is imported by name. Each has to lie beside what starts it. */
const PUBLISHED = {
  main: join(PROJECT, 'src/cli/main.ts'),
  index: join(PROJECT, 'src/index.ts'),
  'convert-process': join(PROJECT, 'src/platform/xlsx/conversion/convert-process.ts'),
};

/**
 * Compiles `src` into few files, from which a process starts in less time than from hundreds of modules, with the page's
 * files and the translations beside them. `more` are further programs. `hasPackages`: the packages are installed beside
 * them, as they are for users, and most are imported from there; else all are compiled in. Writes the licenses of what is
 * compiled in.
 */
export async function bundle(folder: string, { more = {}, hasPackages }: BundleOptions): Promise<void> {
  cpSync(join(PROJECT, 'src/cli/bin.cjs'), join(folder, 'bin.cjs'));
  cpSync(join(PROJECT, 'src/web/static'), join(folder, 'static'), { recursive: true });
  cpSync(join(PROJECT, 'src/messages/translations'), join(folder, 'translations'), { recursive: true });
  const { output } = await build({
    input: { ...PUBLISHED, ...more },
    platform: 'node',
    logLevel: 'silent',
    external: hasPackages ? packages() : [],
    output: { dir: folder, format: 'esm', hashCharacters: 'hex' },
  });
  writeLicenses(
    folder,
    output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
  );
}

export type BundleOptions = { more?: Readonly<Record<string, string>>; hasPackages: boolean };

/** Each with its subpaths. */
function packages(): RegExp[] {
  const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest;
  const installed = Object.keys(manifest.dependencies).filter((name) => !COMPILED_IN.has(name));
  return installed.map((name) => new RegExp(`^${RegExp.escape(name)}(?:/|$)`));
}

/** `npm run build`: the package's `dist/cli`. */
if (import.meta.main) {
  await bundle(join(PROJECT, 'dist/cli'), { hasPackages: true });
}
