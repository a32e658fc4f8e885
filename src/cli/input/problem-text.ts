import { styleText } from 'node:util';
import { type Problem, type ProblemGroup, problemPlace } from '../../domain/problem.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable } from '../../messages/text.ts';

/** A cell's text is cut at so many characters on the screen. */
const VALUE_SHOWN = 48;

/** Where the same mistake has different words, so many of them are shown. */
const TEXTS_SHOWN = 3;

/** One kind of problem: a line with its first cells, then what they hold, the reason and the remedy. */
export function groupText(group: ProblemGroup, colour: boolean): string {
  const style = group.severity === 'error' ? 'red' : 'yellow';
  const lines = [`${paint(`${group.severity} ${group.code}`, style, colour)}${placesText(group)}`];
  const values = valuesText(group.first);
  if (values !== '') lines.push(field('value', values));
  const words = new Map(
    group.first.map((problem) => [problem, messages.problems.problemWords(problem, 'command_line')]),
  );
  for (const [at, text] of texts(group.first, (problem) => words.get(problem)?.message ?? '').entries())
    lines.push(field(at === 0 ? 'reason' : '', text));
  for (const [at, text] of texts(group.first, (problem) => words.get(problem)?.remedy ?? '').entries())
    lines.push(field(at === 0 ? 'remedy' : '', text));
  const suggestions = group.first.flatMap(suggestionText);
  if (suggestions.length > 0) lines.push(field('suggestion', suggestions.join(', ')));
  return lines.join('\n');
}

export function paint(text: string, style: 'red' | 'yellow' | 'green', colour: boolean): string {
  return colour ? styleText(style, text, { validateStream: false }) : text;
}

/** A cell's text as it is shown: in quotes, so that blanks at its ends can be seen. */
export function quotedValue(value: string): string {
  return `"${printable(value.length > VALUE_SHOWN ? `${value.slice(0, VALUE_SHOWN)}…` : value)}"`;
}

/** ` at Sheet1!F17, F18, F19, F20, F21 and 295 more`: the sheet is named once. */
function placesText(group: ProblemGroup): string {
  let sheet: string | null = null;
  const places: string[] = [];
  for (const problem of group.first) {
    const place = problemPlace(problem.sheet === sheet ? { ...problem, sheet: null } : problem);
    if (place !== '') places.push(place);
    sheet = problem.sheet;
  }
  if (places.length === 0) return group.count > 1 ? ` ${counted(group.count, 'time')}` : '';
  const more = group.count - group.first.length;
  return ` at ${printable(places.join(', '))}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

function valuesText(problems: readonly Problem[]): string {
  const values = problems.map(({ value }) => value).filter((value) => value !== null && value !== '');
  return [...new Set(values.map((value) => quotedValue(value ?? '')))].join(', ');
}

/** The text of all of them, or those of the first few with the cell of each. */
function texts(problems: readonly Problem[], textOf: (problem: Problem) => string): string[] {
  const first = problems[0];
  if (first === undefined) return [];
  if (problems.every((problem) => textOf(problem) === textOf(first))) return [printable(textOf(first))];
  return problems
    .slice(0, TEXTS_SHOWN)
    .map((problem) => printable(`${problemPlace({ ...problem, sheet: null })}: ${textOf(problem)}`));
}

function suggestionText(problem: Problem): string[] {
  if (problem.suggestion === undefined) return [];
  return [`${printable(problemPlace({ ...problem, sheet: null }))}: ${quotedValue(problem.suggestion)}`];
}

function field(name: string, text: string): string {
  return `  ${name.padEnd(10)}  ${text}`;
}
