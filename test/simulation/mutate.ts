import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTANTS, type Mutation } from './mutants.ts';

type Simulation = typeof import('./run-seed.ts');

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** What each file of the simulation imports. */
const IMPORTS = importsFrom(join(import.meta.dirname, 'run-seed.ts'));

/** By mutant. */
const changed = new Map<string, ReadonlySet<string>>();

/** Of every file as it stands: each mutant changes one or two files of hundreds. */
const stripped = new Map<string, string>();

// The addresses of a mutant's modules end in its name, so that each mutant has modules of its own in this one process. It
// shares with the others those of packages, and those from which no import leads to what it changes.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = new URL(context.parentURL ?? import.meta.url);
    const isOfMutant = parent.search.startsWith('?mutant=') && /^[.].*[.]ts$/.test(specifier);
    if (!isOfMutant) return nextResolve(specifier, context);
    const url = new URL(specifier, parent);
    const isOwn = changedWith(parent.searchParams.get('mutant') ?? '').has(fileURLToPath(url));
    return { url: isOwn ? `${url}${parent.search}` : `${url}`, shortCircuit: true };
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

/** The files that a mutant changes, and all that import them, directly or not. */
function changedWith(mutant: string): ReadonlySet<string> {
  const known = changed.get(mutant);
  if (known) return known;
  const found = new Set((MUTANTS[mutant] ?? []).map(({ file }) => `${SOURCE}${file}`));
  for (const file of found) for (const [importer, imports] of IMPORTS) if (imports.includes(file)) found.add(importer);
  changed.set(mutant, found);
  return found;
}

/** What the file imports, and what each of those imports, and so on. */
function importsFrom(path: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const files = new Set([path]);
  // A set that grows while it is gone through is gone through to its end.
  for (const file of files) {
    const named = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([.][^']+[.]ts)'/g);
    const imports = Array.from(named, ([, name = '']) => join(dirname(file), name));
    found.set(file, imports);
    for (const imported of imports) files.add(imported);
  }
  return found;
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
