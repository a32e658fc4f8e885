import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PROJECT } from './payrun-process.ts';

/** The pages that users read; the package has them all. */
export const GUIDES = [
  'README.md',
  'jobs/README.md',
  'samples/README.md',
  'samples/deploy/README.md',
  'src/README.md',
  'src/journal/README.md',
  'src/queue/README.md',
  'src/runner/README.md',
  'src/service/README.md',
  'src/web/README.md',
  'src/web/api/README.md',
  'src/webhook/README.md',
  'test/bench/README.md',
] as const;

export type Block = { language: string; text: string };

/** A command as a reader would type it, without `payrun`. `exit`: with which code the page says that it ends. */
export type PrintedCommand = { words: string[]; exit: number | null };

export function guideText(guide: string): string {
  return readFileSync(join(PROJECT, guide), 'utf8');
}

/** Fenced blocks in order, without the indentation of a list. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map(([, indent = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The text under a heading, up to the next one of any level; empty where there is none. */
export function sectionOf(markdown: string, heading: string): string {
  const [, after = ''] = markdown.split(`\n## ${heading}\n`);
  return after.split(/^#+ /m)[0] ?? '';
}

/** Of each line of a block, and of each text in backquotes outside: what begins with `payrun`. */
export function commandsOf(markdown: string): PrintedCommand[] {
  const outside = markdown.replaceAll(/^ *```.*?^ *```$/gms, '');
  const spans = [...outside.matchAll(/`(payrun [^`]+)`/g)].map(([, text = '']) => text);
  const lines = blocksOf(markdown).flatMap(({ text }) => text.split('\n'));
  return [...lines, ...spans].flatMap(commandsIn);
}

/** In front of `payrun` may be variables, the path of the program, or npm. */
const COMMAND = /^(?:\S*\w=\S*? )*(?:ExecStart=)?(?:\S*\/)?(?:npm run -s payrun --|payrun)(?: (.*)|$)/;

function commandsIn(line: string): PrintedCommand[] {
  const [, command = line, comment = ''] = /^(.*?)(?:\s+#\s(.*))?$/.exec(line.trim()) ?? [];
  const exit = /(?:^|: )exit (\d+)$/.exec(comment)?.[1];
  return command.split(' && ').flatMap((part) => {
    const found = COMMAND.exec(part.replace(/^(?:[A-Z_]+=(?:"[^"]*"|\S*) )+/, ''));
    if (found === null) return [];
    return [{ words: wordsOf(found[1] ?? ''), exit: exit === undefined ? null : Number(exit) }];
  });
}

/** As a shell splits them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}

/** Options that stand alone in backquotes, such as `--rate`. */
export function optionsNamedIn(markdown: string): string[] {
  return [...markdown.matchAll(/`--([a-z][a-z-]*)[^`]*`/g)].map(([, name = '']) => name);
}

/** Links to files of the project, or to headings in them, that lead nowhere. */
export function brokenLinks(guide: string): string[] {
  const targets = [...guideText(guide).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? guide : normalize(join(dirname(guide), path));
    if (!existsSync(join(PROJECT, file))) return true;
    return anchor !== undefined && !anchorsOf(guideText(file)).includes(anchor);
  });
}

/** As code hosts make them of headings. */
function anchorsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text.toLowerCase());
  return headings.map((text) => text.replaceAll(/[^\p{L}\p{N} -]/gu, '').replaceAll(' ', '-'));
}
