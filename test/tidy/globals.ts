import { isNode, memberOf, nameOf, placeOf, type Source, type SyntaxNode, textOf, walk } from './source.ts';

/** Where real clocks, timers and randomness are made, to be given to everything else. */
const MAKERS: ReadonlySet<string> = new Set(['src/platform/machine.ts', 'src/compose/machine/interrupt.ts']);

const BANNED: ReadonlySet<string> = new Set([
  'Date',
  'Temporal',
  'fetch',
  'performance',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

const BANNED_MEMBERS: ReadonlySet<string> = new Set([
  'AbortSignal.timeout',
  'Math.random',
  'crypto.getRandomValues',
  'crypto.randomUUID',
  'process.hrtime',
]);

const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(['globalThis', 'global', 'self', 'window']);

/** Modules that are nothing but a clock or timers. */
const BANNED_MODULES: ReadonlySet<string> = new Set([
  'node:perf_hooks',
  'node:timers',
  'node:timers/promises',
  'perf_hooks',
  'timers',
  'timers/promises',
]);

/** The same by other names. */
const BANNED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'node:crypto': [
    'getRandomValues',
    'randomBytes',
    'randomFill',
    'randomFillSync',
    'randomInt',
    'randomUUID',
    'webcrypto',
  ],
  'node:process': ['hrtime'],
  undici: ['fetch'],
};

/**
 * Uses of the machine's clock, timers, randomness and network outside of those modules, as values or as types: whoever
 * uses one cannot run in a simulation.
 */
export function globalProblems(source: Source): string[] {
  if (!source.path.startsWith('src/') || MAKERS.has(source.path)) return [];
  const problems: string[] = [];
  walk(source.program, (node, parent, field) => {
    const used = usedBy(node, parent, field);
    for (const name of used) problems.push(`${placeOf(source, node.start)}: uses ${name}`);
  });
  return problems;
}

function usedBy(node: SyntaxNode, parent: SyntaxNode | null, field: string): string[] {
  switch (node.type) {
    case 'Identifier': {
      const name = nameOf(node) ?? '';
      if (name === 'Date' && isPureDate(parent, field)) return [];
      return BANNED.has(name) && isReference(parent, field) ? [name] : [];
    }
    case 'MemberExpression':
      return memberUsed(node);
    case 'ImportDeclaration':
    case 'ImportExpression':
      return importedFrom(node);
    case 'VariableDeclarator':
      return takenApart(node);
    default:
      return [];
  }
}

/** `new Date(ms)`, `Date.UTC(…)` and `Date.parse(text)` ask no clock. */
function isPureDate(parent: SyntaxNode | null, field: string): boolean {
  if (parent?.type === 'NewExpression')
    return field === 'callee' && Array.isArray(parent.arguments) && parent.arguments.length > 0;
  return parent?.type === 'MemberExpression' && field === 'object' && ['UTC', 'parse'].includes(memberOf(parent) ?? '');
}

/** Whether a name there is the thing itself: not a key of an object, a member of another, or what an export calls it. */
function isReference(parent: SyntaxNode | null, field: string): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return field === 'object' || parent.computed === true;
    case 'TSQualifiedName':
      return field === 'left';
    case 'Property':
      return field === 'value' || parent.computed === true;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return field !== 'key' || parent.computed === true;
    case 'ImportSpecifier':
    case 'ExportSpecifier':
      return field === 'local';
    default:
      return true;
  }
}

function memberUsed(node: SyntaxNode): string[] {
  const member = memberOf(node);
  const object = nameOf(node.object);
  if (member === null) return object !== null && GLOBAL_OBJECTS.has(object) ? [`a computed member of ${object}`] : [];
  if (object !== null && GLOBAL_OBJECTS.has(object)) return BANNED.has(member) ? [member] : [];
  const holder =
    object ?? (isNode(node.object) && node.object.type === 'MemberExpression' ? memberOf(node.object) : null);
  return BANNED_MEMBERS.has(`${holder}.${member}`) ? [`${holder}.${member}`] : [];
}

function importedFrom(node: SyntaxNode): string[] {
  const module = textOf(node.source);
  if (module === null) return [];
  if (BANNED_MODULES.has(module)) return [module];
  const banned = BANNED_IMPORTS[module] ?? [];
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  return specifiers
    .map(({ imported }) => nameOf(imported))
    .filter((name) => name !== null && banned.includes(name))
    .map((name) => `${name} of ${module}`);
}

/** `const { random } = Math` */
function takenApart({ id, init }: SyntaxNode): string[] {
  const object = nameOf(init);
  if (object === null || !isNode(id) || id.type !== 'ObjectPattern' || !Array.isArray(id.properties)) return [];
  return id.properties
    .filter(isNode)
    .map(({ key }) => nameOf(key))
    .filter((name) => name !== null)
    .filter((name) => BANNED_MEMBERS.has(`${object}.${name}`) || (GLOBAL_OBJECTS.has(object) && BANNED.has(name)))
    .map((name) => `${object}.${name}`);
}
