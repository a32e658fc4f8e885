import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { doorProblems } from './tidy/doors.ts';
import { globalProblems } from './tidy/globals.ts';
import { IMPORT_TABLE, importCycles, importProblems, importsOf } from './tidy/imports.ts';
import { languageProblems, untranslatedProblems } from './tidy/languages.ts';
import { type Machine, machineProblems } from './tidy/machine.ts';
import { sentenceProblems } from './tidy/sentences.ts';
import { barrelProblems, conflictProblems, focusProblems, lengthProblems, nameProblems } from './tidy/shape.ts';
import { type Source, sourceOf } from './tidy/source.ts';

const ROOT = dirname(import.meta.dirname);

const FOLDER_FILES_MAX = 24;

/** More than the project will have: a walk that met node_modules would be longer. */
const FILES_MAX = 5_000;

/** What others get, and what is about to be committed; without git (an unpacked archive) all that is not generated. */
function filesOfTheProject(): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 16_777_216,
    });
    return listed.split('\0').filter((path) => path !== '' && existsSync(`${ROOT}/${path}`));
  } catch {
    const patterns = ['*.{ts,json,md}', '.ci/*', '{src,test,jobs,samples}/**/*.*'];
    return globSync(patterns, { cwd: ROOT });
  }
}

const FILES = filesOfTheProject();
const SOURCES: Source[] = FILES.filter((path) => /^(?:src|test)\/.*\.ts$/.test(path)).map((path) =>
  sourceOf(path, readFileSync(`${ROOT}/${path}`, 'utf8')),
);

const manifest = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')));
const PACKAGES: ReadonlySet<string> = new Set(Object.keys(manifest.dependencies));

const MACHINE: Machine = { root: ROOT, home: homedir(), registryHost: registryHost() };

function registryHost(): string | null {
  const registry = process.env.npm_config_registry;
  return registry === undefined || !URL.canParse(registry) ? null : new URL(registry).hostname;
}

describe('the project', () => {
  test('has the files that the rules are about', () => {
    expect(SOURCES.length).toBeGreaterThan(100);
    expect(FILES.length).toBeLessThan(FILES_MAX);
    for (const folder of ['domain', 'journal', 'service', 'runner', 'cli'])
      expect(SOURCES.some(({ path }) => path.startsWith(`src/${folder}/`))).toBe(true);
  });

  test.each<[string, (source: Source) => string[]]>([
    ['imports only what the table of the architecture allows', (source) => importProblems(source, PACKAGES)],
    ['takes clock, timers, randomness and network as arguments', globalProblems],
    ['shows payments, files and acts only through the door', doorProblems],
    ['has functions and files that can be read at once', lengthProblems],
    ['has no barrel', barrelProblems],
    ['asks no sentence what it says', sentenceProblems],
    ['has the words of one language in one place', languageProblems],
    ['says nothing on the page that stays in English', untranslatedProblems],
    ['has names with a meaning, in kebab-case', ({ path }) => nameProblems(path)],
    ['runs all of its tests', focusProblems],
  ])('%s', (_rule, problemsOf) => {
    expect(SOURCES.flatMap(problemsOf)).toEqual([]);
  });

  test('has no files that import each other in a circle', () => {
    expect(importCycles(SOURCES)).toEqual([]);
    const circle = ['b', 'c', 'a'].map((name, at, all) =>
      sourceOf(`src/x/${name}.ts`, `import type { A } from './${all[(at + 1) % 3]}.ts';`),
    );
    expect(importCycles(circle)).toEqual(['src/x/a.ts > src/x/b.ts > src/x/c.ts']);
  });

  test('has folders that can be read at once', () => {
    const counts = Object.entries(Object.groupBy(SOURCES, ({ path }) => dirname(path)));
    const large = counts.filter(
      ([folder, files]) => folder.startsWith('src/') && (files?.length ?? 0) > FOLDER_FILES_MAX,
    );
    expect(large.map(([folder, files]) => `${folder}: ${files?.length} files`)).toEqual([]);
  });

  test('has guides that name files which exist', () => {
    const guides = FILES.filter((path) => /^src\/.*README\.md$/.test(path));
    const missing = guides.flatMap((path) => {
      const named = readFileSync(`${ROOT}/${path}`, 'utf8').matchAll(/`([a-z0-9/-]+\.ts)`/g);
      return Array.from(named, ([, name = '']) => name)
        .filter((name) => ![dirname(path), 'src'].some((folder) => existsSync(`${ROOT}/${folder}/${name}`)))
        .map((name) => `${path}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  test('has no lines that a merge left behind', () => {
    const marked = FILES.flatMap((path) => conflictProblems(path, readFileSync(`${ROOT}/${path}`, 'utf8')));
    expect(marked).toEqual([]);
    const merged = ['a', `${'<'.repeat(7)} HEAD`, 'b', '='.repeat(7), 'c', `${'>'.repeat(7)} 1a2b3c4`].join('\n');
    expect(conflictProblems('a.json', merged)).toEqual([2, 4, 6].map((line) => `a.json:${line}: is of a merge`));
    expect(conflictProblems('a.md', `Title\n${'='.repeat(12)}\n`)).toEqual([]);
  });

  test('tells nothing of the machine that it was made on', () => {
    const problems = FILES.flatMap((path) => machineProblems(path, readFileSync(`${ROOT}/${path}`, 'utf8'), MACHINE));
    expect(problems).toEqual([]);
  });
});

/** The problems that one rule finds in bad source text at a path. */
type Rule = (source: Source) => string[];

function found(rule: Rule, path: string, text: string): string[] {
  return rule(sourceOf(path, text));
}

describe('the rule on sentences', () => {
  test.each([
    ["error.message.startsWith('It ');", 'asks by startsWith what message says; give it a code'],
    ["remedy.replace(/ x$/, '');", 'asks by replace what remedy says; give it a code'],
    ['/`/.test(refused.remedy);', 'asks by test what remedy says; give it a code'],
    ['printable(end.message).replace(/[.]$/, "");', 'asks by replace what message says; give it a code'],
    ["if (stopped.message === 'No answer came.') go();", 'compares what message says; give it a code'],
    ['event.why.replace(/ [0-9]+$/, hidden);', 'asks by replace what why says; give it a code'],
    ["failure.cause.includes('timed out');", 'asks by includes what cause says; give it a code'],
    ['const a = /How long a payment counts/;', 'has a pattern of a sentence: payment counts'],
    ['const a = /^resume (?:looks|tries)|made again/;', 'has a pattern of a sentence: made again'],
  ])('sees %s', (text, problem) => {
    expect(found(sentenceProblems, 'src/web/a.ts', text)).toEqual([`src/web/a.ts:1: ${problem}`]);
  });

  test.each([
    "code.startsWith('limit_');",
    "message.split('\\n');",
    'const a = /^[a-z]+ [a-z]+$/;',
    'wordsFor(remedy);',
  ])('lets %s be', (text) => expect(found(sentenceProblems, 'src/web/a.ts', text)).toEqual([]));
});

describe('the rule on texts that stay in English', () => {
  test.each([
    ["show({ remedy: 'Choose another one.' });", 'Choose another one.'],
    ['const a = isLong ? `Take at most a few.` : null;', 'Take at most a few.'],
    ["const a = [t`Fine so far`, isOver ? 'It is over.' : ''];", 'It is over.'],
  ])('sees %s', (text, sentence) => {
    const problem = `src/web/a.ts:1: is English for all readers: ${sentence}`;
    expect(found(untranslatedProblems, 'src/web/a.ts', text)).toEqual([problem]);
  });

  test.each([
    't`Choose another one.`;',
    "html`<p>Choose another one.</p>`; either(isOne, 'Another one', 'The others');",
    "const A = textTable({ why: { message: 'Choose another one.' } });",
    "throw new Error('There is no row.');",
    "log.warn({ run }, 'A run ended');",
  ])('lets %s be', (text) => expect(found(untranslatedProblems, 'src/web/a.ts', text)).toEqual([]));
});

describe('the rule on the door', () => {
  const problem = 'reads runs.read, and not what somebody sees (web.sight)';

  test.each([
    'web.runs.read(runId);',
    'runs.read(runId);',
    'this.#parts.runs.read(runId);',
    'const read = web.runs.read;',
  ])('sees %s', (text) =>
    expect(found(doorProblems, 'src/web/a/b.ts', text)).toEqual([`src/web/a/b.ts:1: ${problem}`]),
  );

  test.each([
    ['src/web/a/b.ts', 'web.sight.of(person).history();'],
    ['src/web/a/b.ts', 'context.json({ history: [] });'],
    ['src/web/sights.ts', 'web.runs.read(runId);'],
    ['src/app/a.ts', 'reads.history();'],
  ])('lets %s: %s', (path, text) => expect(found(doorProblems, path, text)).toEqual([]));
});

describe('the rule on languages', () => {
  const problem = 'takes words from src/messages/stop-words.ts; take them from messages.ts';

  test.each([
    "import { stopText } from '../messages/stop-words.ts';",
    "import { type Reader, stopText } from '../messages/stop-words.ts';",
    "import * as stops from '../messages/stop-words.ts';",
  ])('sees %s', (text) =>
    expect(found(languageProblems, 'src/app/a.ts', text)).toEqual([`src/app/a.ts:1: ${problem}`]),
  );

  test.each([
    "import type { Reader } from '../messages/stop-words.ts';",
    "import { type Reader } from '../messages/stop-words.ts';",
    "import { messages } from '../messages/messages.ts'; import { counted } from '../messages/text.ts';",
  ])('lets %s be', (text) => expect(found(languageProblems, 'src/app/a.ts', text)).toEqual([]));
});

describe('the rule on imports', () => {
  const rule: Rule = (source) => importProblems(source, new Set(['zod', '@noble/ed25519']));

  test.each([
    ["import { a } from '../journal/a.ts';", 'domain may not import journal/a.ts'],
    ["import type { A } from '../journal/a.ts';", 'domain may not import journal/a.ts'],
    ["import { type A } from '../journal/a.ts';", 'domain may not import journal/a.ts'],
    ["import '../journal/a.ts';", 'domain may not import journal/a.ts'],
    ["export { a } from '../journal/a.ts';", 'domain may not import journal/a.ts'],
    ["export type { A } from '../journal/a.ts';", 'domain may not import journal/a.ts'],
    ["export * from '../journal/a.ts';", 'domain may not import journal/a.ts'],
    ["const a = await import('../journal/a.ts');", 'domain may not import journal/a.ts'],
    ["type A = import('../journal/a.ts').A;", 'domain may not import journal/a.ts'],
    ["type A = typeof import('../journal/a.ts');", 'domain may not import journal/a.ts'],
    ["const a = require('../journal/a.ts');", 'domain may not import journal/a.ts'],
    ["const a = createRequire(import.meta.url)('../journal/a.ts');", 'domain may not import journal/a.ts'],
    ['const load = createRequire(import.meta.url);', 'imports a module whose name is computed'],
    ["import { a } from '../../src/journal/a.ts';", 'domain may not import journal/a.ts'],
    ['const a = await import(name);', 'imports a module whose name is computed'],
    ["import { readFile } from 'node:fs';", 'domain imports node:fs, and it is pure'],
    ["import type { Stats } from 'node:fs';", 'domain imports node:fs, and it is pure'],
    ["import { readFile } from 'fs';", 'imports fs without node:'],
    ["import { a } from '../../test/a.ts';", 'imports test/a.ts, which is outside src'],
    ["import { a } from '../a.ts';", 'domain may not import a.ts'],
    ["import leftPad from 'left-pad';", 'imports left-pad, which is not in the dependencies'],
    ["import { a } from '@noble/curves/a.js';", 'imports @noble/curves, which is not in the dependencies'],
    ["import { a } from 'https://example.com/a.ts';", 'imports https://example.com/a.ts, which is no package'],
  ])('in domain: %s', (text, problem) => {
    expect(found(rule, 'src/domain/b.ts', `\n${text}`)).toEqual([`src/domain/b.ts:2: ${problem}`]);
  });

  test.each([
    ['src/web/runs/b.ts', "import { a } from '../../journal/a.ts';", 'web may not import journal/a.ts'],
    ['src/web/app.ts', "import type { A } from '../runner/a.ts';", 'web may not import runner/a.ts'],
    ['src/web/uploads/b.ts', "import { a } from '../audit/a.ts';", 'web/uploads may not import web/audit/a.ts'],
    [
      'src/web/other/b.ts',
      "import { a } from '../runs/a.ts';",
      'the subject other of the page is not in the import table',
    ],
  ])('in %s: %s', (path, text, problem) => {
    expect(found(rule, path, `\n${text}`)).toEqual([`${path}:2: ${problem}`]);
  });

  test.each([
    ['src/domain/rails/b.ts', "import { a } from '../money.ts'; import { c } from './c.ts';"],
    ['src/service/b.ts', "import { a } from '../domain/money.ts'; import { r } from '../domain/rails/rail.ts';"],
    ['src/contract/b.ts', "import { sign } from '../keys/ed25519.ts'; import { z } from 'zod';"],
    ['src/keys/b.ts', "import { sign } from '@noble/ed25519'; import { hash } from 'node:crypto';"],
    [
      'src/journal/b.ts',
      "import { open } from './sqlite/open.ts'; import { openDatabase } from '../platform/sqlite.ts';",
    ],
    [
      'src/web/runs/b.ts',
      "import { html } from '../shell/html.ts'; import { Recent } from '../once.ts'; import './c.ts';",
    ],
    ['src/web/app.ts', "import { a } from './audit/audit-route.ts'; import { b } from '../app/runs/run-reads.ts';"],
    ['src/compose/b.ts', "const { serve } = await import('../service/app.ts');"],
    ['src/input/b.ts', "const text = 'import { a } from \"../journal/a.ts\"'; // import '../cli/a.ts'"],
    ['test/b.test.ts', "import { serve } from '../src/service/app.ts'; import { vi } from 'vitest';"],
  ])('%s may: %s', (path, text) => {
    expect(found(rule, path, text)).toEqual([]);
  });

  test.each([
    ['service', 'domain/payout.ts'],
    ['service', 'domain/refusal.ts'],
    ['service', 'domain/money-laundering.ts'],
    ['service', 'client/client.ts'],
    ['runner', 'service/app.ts'],
    ['runner', 'cli/exit.ts'],
    ['client', 'keys/ed25519.ts'],
    ['journal', 'report/rows.ts'],
    ['report', 'runner/run.ts'],
    ['keys', 'domain/money.ts'],
    ['web', 'client/client.ts'],
    ['web', 'platform/machine.ts'],
    ['app', 'journal/sqlite/open.ts'],
    ['compose', 'journal/sqlite/tables/entry-table.ts'],
    ['cli', 'journal/journal.ts'],
    ['cli', 'web/app.ts'],
    ['library', 'cli/commands/show/run.ts'],
  ])('%s may not import %s', (folder, target) => {
    expect(found(rule, `src/${folder}/b.ts`, `import { a } from '../${target}';`)).toEqual([
      `src/${folder}/b.ts:1: ${folder} may not import ${target}`,
    ]);
  });

  test('no file but the launcher and the schedule starts processes', () => {
    const text = "import { spawn } from 'node:child_process';";
    for (const path of ['src/web/watch/b.ts', 'src/cli/commands/web/b.ts'])
      expect(found(rule, path, text)).toEqual([`${path}:1: starts processes by itself`]);
    expect(found(rule, 'src/app/launcher/launch.ts', text)).toEqual([]);
  });

  test('a folder that is not in the table is refused', () => {
    expect(found(rule, 'src/plugins/a.ts', '')).toEqual([
      'src/plugins/a.ts: the folder plugins is not in the import table',
    ]);
  });

  test('the table has no cycle, and nobody imports cli', () => {
    const left = new Map(Object.entries(IMPORT_TABLE).map(([folder, allowed]) => [folder, foldersOf(allowed)]));
    const importers = [...left].filter(([, folders]) => folders.includes('cli'));
    expect(importers).toEqual([]);
    while (left.size > 0) {
      const free = [...left].find(([, allowed]) => allowed.every((folder) => !left.has(folder)));
      expect(free, `a cycle in ${[...left.keys()]}`).toBeDefined();
      left.delete(free?.[0] ?? '');
    }
  });

  test('every import of a file is seen', () => {
    const text = "import a from 'a'; export * from 'b'; export { c } from 'c'; import('d'); type E = import('e').E;";
    expect(importsOf(sourceOf('src/a.ts', text)).map(({ specifier }) => specifier)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  function foldersOf(allowed: readonly string[]): string[] {
    return allowed.map((entry) => entry.split('/')[0] ?? '');
  }
});

describe('the rule on globals', () => {
  test.each([
    ['const now = Date.now();', 'Date'],
    ['const now = new Date().toISOString();', 'Date'],
    ['function at(date: Date) {}', 'Date'],
    ['const now = globalThis.Date.now();', 'Date'],
    ["const now = globalThis['Date'].now();", 'Date'],
    ['const now = globalThis[name].now();', 'a computed member of globalThis'],
    ['const { Date: Clock } = globalThis;', 'globalThis.Date'],
    ['const now = Temporal.Now.instant();', 'Temporal'],
    ['const a = Math.random();', 'Math.random'],
    ["const a = Math['random']();", 'Math.random'],
    ['const { random } = Math;', 'Math.random'],
    ['const a = globalThis.Math.random();', 'Math.random'],
    ['setTimeout(work, 10);', 'setTimeout'],
    ['const later = setTimeout;', 'setTimeout'],
    ['const timers = { setTimeout };', 'setTimeout'],
    ['setInterval(work, 10);', 'setInterval'],
    ['setImmediate(work);', 'setImmediate'],
    ['await fetch(url);', 'fetch'],
    ['type Fetch = typeof fetch;', 'fetch'],
    ['const id = crypto.randomUUID();', 'crypto.randomUUID'],
    ['const id = globalThis.crypto.randomUUID();', 'crypto.randomUUID'],
    ['crypto.getRandomValues(bytes);', 'crypto.getRandomValues'],
    ['const at = performance.now();', 'performance'],
    ['const at = process.hrtime.bigint();', 'process.hrtime'],
    ['const signal = AbortSignal.timeout(10);', 'AbortSignal.timeout'],
    ["import { randomUUID } from 'node:crypto';", 'randomUUID of node:crypto'],
    ["import { randomBytes as bytes } from 'node:crypto';", 'randomBytes of node:crypto'],
    ["import { setTimeout as sleep } from 'node:timers/promises';", 'node:timers/promises'],
    ["const { performance: p } = await import('node:perf_hooks');", 'node:perf_hooks'],
    ["import { fetch as get } from 'undici';", 'fetch of undici'],
  ])('%s', (text, name) => {
    expect(found(globalProblems, 'src/runner/b.ts', text)).toContain(`src/runner/b.ts:1: uses ${name}`);
    expect(found(globalProblems, 'src/compose/machine/interrupt.ts', text)).toEqual([]);
    expect(found(globalProblems, 'test/b.test.ts', text)).toEqual([]);
  });

  test.each([
    '// Date.now() and setTimeout',
    "const text = 'Date.now()';",
    'client.fetch(url);',
    'const headers = { Date: text };',
    "answer.headers['Date'];",
    'const text = new Date(ms).toISOString();',
    'const ms = Date.UTC(2026, 10, 25);',
    'const ms = Date.parse(text);',
    'type Answer = { Date: string; fetch(): void };',
    'class Store { fetch() {} performance = 1; }',
    'Math.max(1, 2);',
    "import { hash } from 'node:crypto';",
    'export { get as fetch };',
    'rates.performance.now;',
  ])('lets pass: %s', (text) => {
    expect(found(globalProblems, 'src/runner/b.ts', text)).toEqual([]);
  });
});

describe('the rules on length', () => {
  const lines = (count: number) => '  work();\n'.repeat(count);

  test.each([
    ['a function', (count: number) => `function a() {\n${lines(count - 2)}}`],
    ['an arrow', (count: number) => `const a = () => {\n${lines(count - 2)}};`],
    ['a method', (count: number) => `class A { a() {\n${lines(count - 2)}} }`],
    ['a getter', (count: number) => `const a = { get b() {\n${lines(count - 2)}} };`],
  ])('%s may have 70 lines', (_what, text) => {
    expect(found(lengthProblems, 'src/runner/b.ts', text(70))).toEqual([]);
    expect(found(lengthProblems, 'src/runner/b.ts', text(71))).toEqual([
      'src/runner/b.ts:1: a function of 71 lines; 70 is the most',
    ]);
  });

  test('a file may have 250 lines, or a reason', () => {
    const excuse = '// Over 250 lines: because the table of the standard is that long.\n';
    expect(found(lengthProblems, 'src/runner/b.ts', lines(250))).toEqual([]);
    expect(found(lengthProblems, 'src/runner/b.ts', lines(251))).toHaveLength(1);
    expect(found(lengthProblems, 'src/runner/b.ts', lines(251) + excuse)).toEqual([]);
    expect(found(lengthProblems, 'src/runner/b.ts', `${lines(251)}// Over 250 lines: because`)).toHaveLength(1);
  });

  test('tests may be longer', () => {
    expect(found(lengthProblems, 'test/b.test.ts', `test('x', () => {\n${lines(300)}});`)).toEqual([]);
  });
});

describe('the rule on barrels', () => {
  test.each([
    ["export * from './a.ts';", 2],
    ["export { a } from './a.ts';\nexport type { B } from './b.ts';", 1],
    ["import { a } from './a.ts';\nexport { a };", 1],
    ["export * from './a.ts';\nexport const b = 1;", 1],
    ["export * as a from './a.ts';\nexport const b = 1;", 1],
  ])('%j', (text, count) => {
    expect(found(barrelProblems, 'src/runner/b.ts', text)).toHaveLength(count);
  });

  test.each([
    "export type { A } from './a.ts';\nexport const b = 1;",
    "import './a.ts';",
    'const a = 1;\nexport { a };',
    '',
  ])('lets pass: %j', (text) => {
    expect(found(barrelProblems, 'src/runner/b.ts', text)).toEqual([]);
  });
});

test.each([
  ['src/runner/utils.ts', 1],
  ['src/utils/money.ts', 1],
  ['src/shared/money.ts', 1],
  ['test/helpers/run.ts', 1],
  ['test/helper.test.ts', 1],
  ['src/runner/runState.ts', 1],
  ['src/runner/RunState.ts', 1],
  ['src/runner/run_state.ts', 1],
  ['src/Runner/run.ts', 1],
  ['src/runner/index.ts', 1],
  ['src/runner/run-state.ts', 0],
  ['src/journal/sqlite/000001.sql.ts', 0],
  ['test/runner/run-state.test.ts', 0],
])('the rule on names: %s', (path, count) => {
  expect(nameProblems(path)).toHaveLength(count);
});

describe('the rule on focused tests', () => {
  const only = 'only';
  test.each([
    [`test.${only}('a', () => {});`, 1],
    [`describe.${only}('a', () => {});`, 1],
    [`it.concurrent.${only}('a', () => {});`, 1],
    [`test.${only}.each([1])('a', () => {});`, 1],
    [`test['${only}']('a', () => {});`, 1],
    ["fit('a', () => {});", 1],
    [`table.${only};`, 0],
    ["test('only', () => {});", 0],
  ])('%s', (text, count) => {
    expect(found(focusProblems, 'test/a.test.ts', text)).toHaveLength(count);
  });
});

describe('the rule on places', () => {
  const machine: Machine = { root: '/builds/42/payrun', home: '/var/jenkins', registryHost: 'npm.corp.example' };
  const homes = ['/home', '/Users'].map((parent) => `${parent}/kim/payrun`);

  // Not whole in this file, which the rule reads too.
  const resolved = `"${'resolved'}"`;

  test.each([
    ['see /builds/42/payrun/src/a.ts', 1],
    ['"/builds/42/payrun"', 2],
    ['cd /builds/42/other', 1],
    ['/var/jenkins/.npmrc', 1],
    [homes[0] ?? '', 1],
    [homes[1] ?? '', 1],
    ['registry=https://npm.corp.example/api', 1],
    [`${resolved}: "https://mirror.example/zod/-/zod-4.tgz"`, 1],
    [`${resolved}: "https://registry.npmjs.org/zod/-/zod-4.tgz"`, 0],
    ['src/builds/42/payrun', 0],
    ['/builds/420', 0],
    ['https://example.com/home/kim/', 0],
    ['../shared/vectors', 0],
  ])('%s', (line, count) => {
    const problems = machineProblems('a.md', `first\n${line}`, machine);
    expect(problems.length > 0).toBe(count > 0);
    for (const problem of problems) expect(problem).toMatch(/^a\.md:2: /);
  });

  test('a checkout at the top of the file system says nothing by its parent', () => {
    expect(machineProblems('a.md', 'a / b, /usr/bin', { root: '/app', home: '/', registryHost: null })).toEqual([]);
  });
});
