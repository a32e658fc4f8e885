import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { LIBRARY_ENTRY } from './shape.ts';
import { isNode, nameOf, placeOf, type Source, type SyntaxNode, textOf, walk } from './source.ts';

/** Time, randomness and a log as arguments, and what is measured: nothing that touches the machine. */
const PORTS = ['platform/clock.ts', 'platform/log.ts', 'platform/measures.ts', 'platform/tracing.ts'];

/**
 * Who may import whom; a folder may always import itself. What is not listed is refused. Dates and business days
 * (`domain/time.ts`) are calculation alone, which the words of messages and reports need, so that they are in the domain.
 */
export const IMPORT_TABLE: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  /** The codes of what is wrong with a file. */
  keys: ['domain/refusals/key-faults.ts'],
  platform: ['domain'],
  contract: ['domain', 'keys'],
  input: ['domain', 'platform/xlsx/'],
  journal: ['domain', 'platform/clock.ts', 'platform/measures.ts', 'platform/sqlite.ts', 'platform/postgres/'],
  /** It carries ids of runs to workers; nothing else knows pg-boss. */
  queue: ['domain', ...PORTS, 'platform/postgres/errors.ts'],
  job: ['domain', 'input', 'keys'],
  client: ['domain', 'contract', ...PORTS],
  approval: ['domain', 'keys'],
  report: ['domain', 'messages', 'journal/journal.ts', 'platform/xlsx/'],
  messages: ['domain'],
  webhook: ['domain', 'contract', 'journal', 'platform/http-server.ts', ...PORTS],
  notify: ['domain', 'messages', 'contract', 'report', 'platform/clock.ts'],
  service: [
    'contract',
    'keys',
    'platform/http-server.ts',
    'platform/sqlite.ts',
    ...PORTS,
    'domain/money.ts',
    'domain/currencies.ts',
    'domain/lazy/schema-reader.ts',
    'domain/rails/',
    // Why a rail refuses an account: one wording of each rule, at the service as in a file.
    'messages/problems/',
  ],
  runner: ['domain', 'journal', 'client', ...PORTS],
  app: [
    'messages',
    'domain',
    'platform/sqlite.ts',
    'platform/postgres/',
    'platform/own-program.ts',
    ...PORTS,
    'platform/xlsx/',
    'keys',
    'input',
    'journal',
    'job',
    'client',
    'approval',
    'report',
    'runner',
    'notify',
    'queue',
  ],
  web: ['app', 'messages', 'domain', 'report', 'platform/sqlite.ts', ...PORTS],
  /** It gives the use cases this machine: its clock, its disk, its network, and the settings of the one who started it. */
  compose: [
    'app',
    'messages',
    'platform',
    'domain',
    'keys',
    'contract',
    'input',
    'journal',
    'queue',
    'job',
    'client',
    'approval',
    'report',
    'webhook',
    'notify',
    'service',
    'runner',
    'web',
  ],
  library: ['compose', 'app', 'domain', 'messages', 'platform', 'report'],
  'index.ts': ['library', 'app', 'domain', 'report'],
  /** It reads options, calls the use cases of `app` with what `compose` makes, and prints. */
  cli: ['compose', 'app', 'messages', 'report', 'domain', 'platform'],
};

/**
 * The subjects of the page, and what each may import of the others; all may import its shell and the files beside their
 * folders. A plan and a run have one address, and a file is planned where it is checked, so these know each other.
 */
const SUBJECTS_OF_THE_PAGE: Readonly<Record<string, readonly string[]>> = {
  shell: [],
  api: ['payees/', 'plans/', 'runs/', 'sign-in/prove.ts', 'uploads/'],
  people: [],
  'sign-in': ['people/'],
  review: ['payees/payee-books.ts', 'uploads/'],
  home: [
    'plans/approvals.ts',
    'plans/waiting-plans.ts',
    'uploads/upload-step.ts',
    'runs/',
    'payees/payee-books.ts',
    'reporting/spend.ts',
  ],
  uploads: [
    'people/access-words.ts',
    'plans/paid-before.ts',
    'plans/plan-parts.ts',
    'plans/plan-policy.ts',
    'plans/start-fields.ts',
    'runs/result-figures.ts',
  ],
  plans: ['people/access-words.ts', 'runs/', 'sign-in/', 'uploads/'],
  runs: ['plans/', 'uploads/retention.ts', 'uploads/upload-parts.ts'],
  audit: ['people/access-words.ts', 'plans/plan-parts.ts', 'plans/standing.ts', 'runs/', 'sign-in/passkey-approval.ts'],
  jobs: ['plans/standing.ts', 'runs/payment-status.ts'],
  payees: [],
  settings: ['people/', 'sign-in/prove.ts'],
  payouts: ['runs/'],
  reporting: ['payees/'],
  notices: ['plans/waiting-plans.ts', 'runs/payment-status.ts'],
};

/** Folders that nobody imports but the one that they stand in: others reach them by its own files. */
const PRIVATE_FOLDERS: readonly string[] = ['journal/sqlite/', 'journal/postgres/', 'journal/tables/'];

/**
 * Work in other processes is started by the launcher; a schedule starts each job as cron would. A conversion takes bytes
 * and gives bytes, for every program that reads a file, those of the library too.
 */
const PROCESS_STARTERS: ReadonlySet<string> = new Set([
  'src/app/launcher/launch.ts',
  'src/platform/xlsx/conversion/convert.ts',
  'src/compose/machine/job-process.ts',
]);

/** The one place where the domain takes functions of Node: each gives the same for the same, and touches nothing. */
const HASHING = { path: 'src/domain/hashing.ts', modules: ['node:buffer', 'node:crypto'] };

/** A module that a file names, and where. `specifier` is null where it is computed when the program runs. */
export type Import = { specifier: string | null; at: number };

/** Every module that a file names: `import`, `import type`, `export … from`, `import()`, `typeof import()`, `require`. */
export function importsOf({ program }: Source): Import[] {
  const found: Import[] = [];
  walk(program, (node, _parent, field) => {
    const source = importedBy(node, field);
    if (source !== null) found.push({ specifier: textOf(source), at: node.start });
  });
  return found;
}

/** What is wrong with the imports of a file under `src`. `packages` are the dependencies that a user's install has. */
export function importProblems(source: Source, packages: ReadonlySet<string>): string[] {
  const [root, folder = ''] = source.path.split('/');
  if (root !== 'src') return [];
  const isInFolder = source.path.split('/').length > 2;
  const allowed = isInFolder || source.path === LIBRARY_ENTRY ? IMPORT_TABLE[folder] : [];
  if (allowed === undefined) return [`${source.path}: the folder ${folder} is not in the import table`];
  return importsOf(source).flatMap(({ specifier, at }) => {
    const problem = specifierProblem(specifier, source.path, isInFolder ? folder : '', allowed, packages);
    return problem === null ? [] : [`${placeOf(source, at)}: ${problem}`];
  });
}

function specifierProblem(
  specifier: string | null,
  path: string,
  folder: string,
  allowed: readonly string[],
  packages: ReadonlySet<string>,
): string | null {
  if (specifier === null) return 'imports a module whose name is computed';
  if (specifier.startsWith('.')) return relativeProblem(specifier, path, folder, allowed);
  if (specifier.startsWith('/') || specifier.includes('://')) return `imports ${specifier}, which is no package`;
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith('node:')) return `imports ${specifier} without node:`;
    if (specifier === 'node:child_process' && !PROCESS_STARTERS.has(path)) return 'starts processes by itself';
    if (path === HASHING.path && HASHING.modules.includes(specifier)) return null;
    return folder === 'domain' ? `domain imports ${specifier}, and it is pure` : null;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return packages.has(name) ? null : `imports ${name}, which is not in the dependencies`;
}

function relativeProblem(specifier: string, path: string, folder: string, allowed: readonly string[]): string | null {
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith('src/')) return `imports ${target}, which is outside src`;
  const inside = target.slice('src/'.length);
  const isAllowed = (entry: string) =>
    entry.endsWith('.ts') ? inside === entry : inside.startsWith(entry.endsWith('/') ? entry : `${entry}/`);
  if (folder === 'web' && inside.startsWith('web/')) return subjectProblem(path, inside);
  if (folder !== '' && inside.startsWith(`${folder}/`)) return null;
  const isPrivate = PRIVATE_FOLDERS.some((one) => inside.startsWith(one));
  return allowed.some(isAllowed) && !isPrivate ? null : `${folder || 'src'} may not import ${inside}`;
}

function subjectProblem(path: string, inside: string): string | null {
  const [, , from = '', ...rest] = path.split('/');
  const [, to = '', ...below] = inside.split('/');
  if (rest.length === 0 || below.length === 0 || to === from || to === 'shell') return null;
  const allowed = SUBJECTS_OF_THE_PAGE[from];
  if (allowed === undefined) return `the subject ${from} of the page is not in the import table`;
  return allowed.some((entry) => inside.startsWith(`web/${entry}`)) ? null : `web/${from} may not import ${inside}`;
}

/** The expression that names the module, where a node is about one. */
function importedBy(node: SyntaxNode, field: string): unknown {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source;
    case 'ExportNamedDeclaration':
      return node.source ?? null;
    case 'TSExternalModuleReference':
      return node.expression;
    case 'CallExpression': {
      // `createRequire(…)` gives a function that can load anything, unless it is called at once.
      if (isCreateRequire(node)) return field === 'callee' ? null : node;
      const isRequire = nameOf(node.callee) === 'require' || isCreateRequire(node.callee);
      return isRequire && Array.isArray(node.arguments) ? (node.arguments.find(isNode) ?? node) : null;
    }
    default:
      return null;
  }
}

function isCreateRequire(node: unknown): boolean {
  return isNode(node) && node.type === 'CallExpression' && nameOf(node.callee) === 'createRequire';
}

/**
 * The files under `src` that import each other in a circle, by whatever kind of import, types included: of each circle the
 * files in order, from the first by name.
 */
export function importCycles(sources: readonly Source[]): string[] {
  const imports = new Map<string, string[]>();
  for (const source of sources) {
    if (!source.path.startsWith('src/')) continue;
    const targets = importsOf(source).flatMap(({ specifier }) => {
      if (!specifier?.startsWith('.')) return [];
      return [posix.normalize(posix.join(posix.dirname(source.path), specifier))];
    });
    imports.set(source.path, targets);
  }
  const cycles = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]): void => {
    const at = above.indexOf(path);
    if (at >= 0) {
      const cycle = above.slice(at);
      const first = cycle.indexOf(cycle.toSorted()[0] ?? '');
      cycles.add([...cycle.slice(first), ...cycle.slice(0, first)].join(' > '));
      return;
    }
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...above, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return [...cycles].sort();
}
