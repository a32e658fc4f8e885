import { isNode, memberOf, nameOf, placeOf, type Source, type SyntaxNode, textOf, walk } from './source.ts';

/** What sentences are called here. A sentence of another name is not seen. */
const SENTENCES: ReadonlySet<string> = new Set([
  'advice',
  'answer',
  'cause',
  'does',
  'message',
  'note',
  'reason',
  'remedy',
  'risk',
  'sentence',
  'stopMessage',
  'stop_message',
  'why',
]);

/** Ways of asking what a text says. To divide it into lines is none. */
const ASKED: ReadonlySet<string> = new Set([
  'endsWith',
  'includes',
  'indexOf',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'startsWith',
]);

const ASKED_BY_PATTERN: ReadonlySet<string> = new Set(['exec', 'test']);

/** Files that read sentences of others, who have no codes for them. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  'src/cli/process-checks.ts': 'the system names its limits in words',
  'src/client/transport.ts': 'the message of the network may have its code already',
  'src/domain/run/payout.ts': 'journals of before have what the service answered in words only',
  'src/input/source/file-kinds.ts': 'web pages begin so',
  'src/input/source/xlsx/workbook.ts': 'the reader of workbooks throws plain errors',
  'src/job/parts/schedule-part.ts': 'the reader of cron patterns throws plain errors',
  'src/keys/encrypted-key-file.ts': 'the package of age throws plain errors',
};

/** Two words beside each other that are no names in a program. */
const TWO_WORDS = /(?<![\\[\w])[a-z]{3,} [a-z]{3,}(?![\w\]])/;

/**
 * Places where the program asks what a sentence for people says, rather than which code it has: a sentence by the names above
 * that is searched, cut or compared, and a regular expression that has two English words beside each other.
 */
export function sentenceProblems(source: Source): string[] {
  if (!source.path.startsWith('src/') || source.path in OF_OTHERS) return [];
  const problems: string[] = [];
  walk(source.program, (node) => {
    const what = asksSentence(node) ?? comparesSentence(node) ?? patternOfWords(node);
    if (what !== null) problems.push(`${placeOf(source, node.start)}: ${what}`);
  });
  return problems;
}

function asksSentence({ type, callee, arguments: given }: SyntaxNode): string | null {
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return null;
  const method = memberOf(callee) ?? '';
  const first = Array.isArray(given) ? given[0] : undefined;
  const asked = ASKED.has(method) ? sentenceIn(callee.object) : ASKED_BY_PATTERN.has(method) ? sentenceIn(first) : null;
  return asked === null ? null : `asks by ${method} what ${asked} says; give it a code`;
}

/** With one word, such as the name of an error, may be compared. */
function comparesSentence({ type, operator, left, right }: SyntaxNode): string | null {
  if (type !== 'BinaryExpression' || (operator !== '===' && operator !== '!==')) return null;
  const asked = sentenceIn(left) ?? sentenceIn(right);
  const isWithWords = [left, right].some((side) => textOf(side)?.includes(' '));
  return asked !== null && isWithWords ? `compares what ${asked} says; give it a code` : null;
}

/** The name of a sentence, also where it is an argument of a function whose result is asked. */
function sentenceIn(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'CallExpression') {
    const given = Array.isArray(node.arguments) ? node.arguments : [];
    return given.map(sentenceIn).find((name) => name !== null) ?? null;
  }
  const name = node.type === 'MemberExpression' ? memberOf(node) : nameOf(node);
  return name !== null && SENTENCES.has(name) ? name : null;
}

function patternOfWords({ type, regex }: SyntaxNode): string | null {
  if (type !== 'Literal' || typeof regex !== 'object' || regex === null || !('pattern' in regex)) return null;
  const words = TWO_WORDS.exec(String(regex.pattern));
  return words === null ? null : `has a pattern of a sentence: ${words[0]}`;
}
