import { expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { RunStory } from '../../src/web/runs/run-story.ts';

function toldOf(entry: Entry): string[] {
  const story = new RunStory();
  story.add({ n: 1, at: 0, entry });
  return story.page(1, 100, () => false).entries.map(({ text }) => text);
}

test('why a run stopped is told by its code, and as it was kept where an older journal has no code', () => {
  expect(toldOf({ kind: 'stopped', reason: 'person_needed', why: { code: 'first_unresolved' } })).toEqual([
    'Stopped: a person is needed. the first payout is unresolved, so no other is sent',
  ]);
  expect(toldOf({ kind: 'stopped', reason: 'outage', message: 'the service was away' })).toEqual([
    'Stopped: the service was away. the service was away',
  ]);
  expect(toldOf({ kind: 'stopped', reason: 'interrupted' })).toEqual(['Stopped: someone interrupted it']);
});
