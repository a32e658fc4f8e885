import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants.ts';

// Loaded before everything else (`node --import`): the modules of the mutant are read with its changes.
const name = process.env.PAYRUN_MUTANT ?? '';
const mutations = MUTANTS[name];
if (!mutations) throw new Error(`there is no mutant ${name}`);
const source = fileURLToPath(new URL('../../src/', import.meta.url));
for (const { file } of mutations)
  if (!existsSync(`${source}${file}`)) throw new Error(`the mutant ${name} changes ${file}, which is not there`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const own = mutations.filter(({ file }) => path === `${source}${file}`);
    if (own.length === 0) return loaded;
    let text = String(loaded.source);
    for (const { file, search, replacement } of own) {
      const pieces = text.split(search);
      if (pieces.length !== 2) {
        throw new Error(
          `the mutant ${name} finds its text in ${file} ${pieces.length - 1} times, and has to find it once`,
        );
      }
      text = pieces.join(replacement);
    }
    return { ...loaded, source: text };
  },
});
