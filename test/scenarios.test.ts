import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNode, type SyntaxNode, sourceOf, textOf, walk } from './tidy/source.ts';

/** What payouts over an interface without idempotency keys have to survive. Each is named in the title of a test. */
const SCENARIOS: Record<number, string> = {
  1: 'killed before an intent is on disk: nothing was sent, and it is paid once later',
  2: 'killed between the intent and the sending: looked for, and not sent again without proof',
  3: 'killed after the sending, before the answer: found by its token',
  4: 'killed after the answer, before it is on disk: the same transaction is adopted',
  5: 'power is cut at any moment: no intent that was acknowledged is gone',
  6: 'the disk refuses to sync an intent: the process ends, and nothing is sent',
  7: 'the disk is full: nothing is sent, and nothing that was known is forgotten',
  8: 'the answer is lost and the payout was made: it is made once',
  9: 'the answer is lost and no payout was made: it is parked or made again by proof, and never silently dropped',
  10: 'a request takes effect after it was given up, before its deadline: found',
  11: 'a request arrives when its absence was declared: no second effect, or an alarm',
  12: 'a kept-alive connection is reset or closed under a request: it leaves once',
  13: '421, 307 and 308: it leaves once',
  14: 'HTTP/2 is offered: HTTP/1.1 is spoken, and it leaves once',
  15: '500, 502, 503 and 504 after the effect: in doubt, and found',
  16: 'a storm of 429 with Retry-After: the pace is kept, and none is lost',
  17: 'a 200 that is cut off or no JSON: in doubt',
  18: 'the listing is minutes late: nothing is absent before its neighbours are there',
  19: 'the listing is cut off, out of order or double: nothing is absent',
  20: 'the service changes descriptions: the run stops after one payout',
  21: 'webhooks come before the answer, twice, in another order, or from a forger: one change, and no forger is believed',
  22: 'the schedule fires twice, or the same file comes twice: one run',
  23: 'two processes, one of them frozen past its lease: neither sends what the other may have sent',
  24: 'the clock jumps by a day, the machine sleeps: nothing is sent again early, or late',
  25: 'an old copy of the journal is put back: nothing is sent before everything is accounted for',
};

const FOLDER = import.meta.dirname;

/** `scenario 8`, `scenarios 3 and 4`, `Scenarios 8, 12, 13 and 15`. */
const NAMED = /\bscenarios? (\d+(?:(?:, and |, | and )\d+)*)/gi;

describe('a title that names scenarios', () => {
  test.each([
    ["test('scenario 8: x', () => {});", [8]],
    ["withProxy('scenarios 8, 12 and 13: x', async () => {});", [8, 12, 13]],
    ["test.each([1])('scenario 3, scenario 4: %s', () => {});", [3, 4]],
    ['it(`the wait (scenarios 1 and 2)`, () => {});', [1, 2]],
    ["// test('scenario 8')\nconst text = 'scenario 9';", []],
    ["test('the scenario of 8', () => {});", []],
  ])('%s', (text, numbers) => {
    expect(scenariosIn('test/a.test.ts', text)).toEqual(numbers);
  });
});

const named = new Map<number, string[]>();
for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.test.ts') || path === 'scenarios.test.ts') continue;
  for (const number of scenariosIn(path, readFileSync(join(FOLDER, path), 'utf8'))) {
    named.set(number, [...(named.get(number) ?? []), path]);
  }
}

test.each(Object.entries(SCENARIOS))('scenario %s (%s) is named in the title of a test', (number) => {
  expect(named.get(Number(number)) ?? []).not.toEqual([]);
});

test('no title names a scenario that is not in the list', () => {
  expect([...named.keys()].filter((number) => !(number in SCENARIOS))).toEqual([]);
});

/** Titles are the first arguments of calls. */
function scenariosIn(path: string, text: string): number[] {
  const numbers: number[] = [];
  walk(sourceOf(path, text).program, (node) => {
    if (node.type !== 'CallExpression' || !Array.isArray(node.arguments)) return;
    const title = titleOf(node.arguments[0]);
    for (const [, list = ''] of title.matchAll(NAMED)) numbers.push(...(list.match(/\d+/g) ?? []).map(Number));
  });
  return numbers;
}

function titleOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type !== 'TemplateLiteral') return textOf(node) ?? '';
  const [only] = node.quasis as SyntaxNode[];
  const value = only?.value as { cooked?: string } | undefined;
  return value?.cooked ?? '';
}
