import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MUTANTS, type Mutation } from './mutants.ts';

type Simulation = typeof import('./run-seed.ts');

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** Of every file as it stands: each mutant changes one or two files of hundreds. */
const stripped = new Map<string, string>();

// The addresses of a mutant's modules end in its name, so that each mutant has modules of its own in this one process. It
// shares those of packages with the others.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = new URL(context.parentURL ?? import.meta.url);
    const isOfMutant = parent.search.startsWith('?mutant=') && /^[.].*[.]ts$/.test(specifier);
    if (!isOfMutant) return nextResolve(specifier, context);
    return { url: `${new URL(specifier, parent)}${parent.search}`, shortCircuit: true };
  },
  load(url, context, nextLoad) {
    const mutant = URL.parse(url)?.searchParams.get('mutant') ?? null;
    if (mutant === null) return nextLoad(url, context);
    return { format: 'module', source: sourceOf(fileURLToPath(url), mutant), shortCircuit: true };
  },
});

/** The simulation with the changes of a mutant in it. */
export async function simulationOf(mutant: string): Promise<Simulation> {
  const mutations = MUTANTS[mutant];
  if (!mutations) throw new Error(`there is no mutant ${mutant}`);
  for (const { file } of mutations)
    if (!existsSync(`${SOURCE}${file}`)) throw new Error(`the mutant ${mutant} changes ${file}, which is not there`);
  return await import(`./run-seed.ts?mutant=${encodeURIComponent(mutant)}`);
}

function sourceOf(path: string, mutant: string): string {
  const own = (MUTANTS[mutant] ?? []).filter(({ file }) => path === `${SOURCE}${file}`);
  if (own.length > 0) return stripTypeScriptTypes(mutated(readFileSync(path, 'utf8'), own, mutant));
  const source = stripped.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'));
  stripped.set(path, source);
  return source;
}

function mutated(original: string, mutations: readonly Mutation[], mutant: string): string {
  let text = original;
  for (const { file, search, replacement } of mutations) {
    const pieces = text.split(search);
    if (pieces.length !== 2) {
      const times = pieces.length - 1;
      throw new Error(`the mutant ${mutant} finds its text in ${file} ${times} times, and has to find it once`);
    }
    text = pieces.join(replacement);
  }
  return text;
}
