import { isNode, linesOf, memberOf, nameOf, placeOf, type Source, type SyntaxNode, walk } from './source.ts';

export const FUNCTION_LINES_MAX = 70;
export const FILE_LINES_MAX = 250;

/** With this a file says why it is longer than others. */
const EXCUSE = /^\/\/ Over 250 lines: because \S/m;

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Names that say nothing of what is in them, so that anything ends there. */
const EMPTY_NAMES: ReadonlySet<string> = new Set(['helper', 'helpers', 'shared', 'util', 'utils']);

/** Functions longer than a screen or two, in `src`: tests are tables, and tables may be long. */
export function lengthProblems(source: Source): string[] {
  if (!source.path.startsWith('src/')) return [];
  const problems: string[] = [];
  walk(source.program, (node) => {
    if (!FUNCTIONS.has(node.type)) return;
    const lines = linesOf(source.text.slice(node.start, node.end));
    if (lines > FUNCTION_LINES_MAX)
      problems.push(`${placeOf(source, node.start)}: a function of ${lines} lines; ${FUNCTION_LINES_MAX} is the most`);
  });
  const lines = linesOf(source.text);
  if (lines > FILE_LINES_MAX && !EXCUSE.test(source.text))
    problems.push(`${source.path}: ${lines} lines, and no line begins with "// Over 250 lines: because"`);
  return problems;
}

/** What `import … from 'payrun'` gives: the one file that only passes on. */
export const LIBRARY_ENTRY = 'src/index.ts';

/** Files that only pass on what others export: they hide where things are and make cycles. */
export function barrelProblems(source: Source): string[] {
  if (source.path === LIBRARY_ENTRY) return [];
  const { body } = source.program;
  const statements = Array.isArray(body) ? body.filter(isNode) : [];
  const problems = statements
    .filter(({ type }) => type === 'ExportAllDeclaration')
    .map(({ start }) => `${placeOf(source, start)}: exports everything of another file`);
  const isPassedOn = (node: SyntaxNode) =>
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && !isNode(node.declaration));
  const others = statements.filter((node) => node.type !== 'ImportDeclaration');
  if (others.length > 0 && others.every(isPassedOn)) problems.push(`${source.path}: is a barrel`);
  return problems;
}

/** Names of files and folders: kebab-case, with a meaning. Migrations are numbered. */
export function nameProblems(path: string): string[] {
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  const words = [...parts, file.replace(/(?:\.test|\.sql|\.d)?\.ts$/, '')];
  const wrong = words.filter((word) => !NAME.test(word)).map((word) => `${path}: ${word} is not kebab-case`);
  const empty = words.filter((word) => EMPTY_NAMES.has(word)).map((word) => `${path}: ${word} says nothing`);
  if (file === 'index.ts' && path !== LIBRARY_ENTRY) empty.push(`${path}: index is the name of a barrel`);
  return [...wrong, ...empty];
}

const TEST_FUNCTIONS: ReadonlySet<string> = new Set(['bench', 'describe', 'fc', 'it', 'suite', 'test']);
const FOCUSED: ReadonlySet<string> = new Set(['fdescribe', 'fit', 'ftest']);

/** Tests that keep all others from running. */
export function focusProblems(source: Source): string[] {
  const problems: string[] = [];
  walk(source.program, (node) => {
    const isFocused =
      node.type === 'MemberExpression' && memberOf(node) === 'only' && TEST_FUNCTIONS.has(rootOf(node) ?? '');
    const isFocusedCall = node.type === 'CallExpression' && FOCUSED.has(nameOf(node.callee) ?? '');
    if (isFocused || isFocusedCall) problems.push(`${placeOf(source, node.start)}: keeps other tests from running`);
  });
  return problems;
}

/** `test` of `test.concurrent.only` and of `test.each(table).only`. */
function rootOf(node: SyntaxNode): string | null {
  let at: unknown = node;
  while (isNode(at) && (at.type === 'MemberExpression' || at.type === 'CallExpression'))
    at = at.type === 'MemberExpression' ? at.object : at.callee;
  return nameOf(at);
}

/** Lines by which a merge marks what it could not decide. A title of seven letters is underlined longer, or is one in another way. */
export function conflictProblems(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => (/^(?:<{7} .*|={7}|>{7} .*)\r?$/.test(line) ? [`${path}:${at + 1}: is of a merge`] : []));
}
