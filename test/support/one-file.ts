import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { bundle } from './bundle.ts';
import { PROJECT } from './payrun-process.ts';

/** Packages that are imported by name when they are needed first, and are not compiled in. */
const LATER = ['yaml'];

/**
 * Makes payrun one file with its Node in it, for the system and processor of the Node that runs this, and gives its path:
 * `payrun-linux-x64`. Node's SEA with a virtual file system: https://nodejs.org/api/single-executable-applications.html.
 * On macOS it has to be signed before it starts (`codesign --sign -`).
 */
export async function oneFile(folder: string): Promise<string> {
  const parts = mkdtempSync(join(tmpdir(), 'payrun-parts-'));
  try {
    await bundle(join(parts, 'dist/cli'), { hasPackages: false });
    cpSync(join(PROJECT, 'package.json'), join(parts, 'package.json'));
    cpSync(join(PROJECT, 'LICENSE'), join(parts, 'LICENSE'));
    for (const name of LATER)
      cpSync(join(PROJECT, 'node_modules', name), join(parts, 'node_modules', name), { recursive: true });
    const files = globSync('**/*', { cwd: parts }).filter((name) => statSync(join(parts, name)).isFile());
    const ending = process.platform === 'win32' ? '.exe' : '';
    const output = join(folder, `payrun-${process.platform}-${process.arch}${ending}`);
    mkdirSync(folder, { recursive: true });
    const config = {
      main: join(PROJECT, 'src/cli/one-file.cjs'),
      output,
      disableExperimentalSEAWarning: true,
      useVfs: true,
      assets: Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), join(parts, name)])),
    };
    writeFileSync(join(parts, 'sea.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--build-sea', join(parts, 'sea.json')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return output;
  } finally {
    rmSync(parts, { recursive: true, force: true });
  }
}

/** `npm run release:sea`. */
if (import.meta.main) {
  console.log(await oneFile(join(PROJECT, 'release')));
}
