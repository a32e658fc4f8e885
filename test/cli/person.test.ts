import { describe, expect, test } from 'vitest';
import { namedOnPage } from '../../src/app/actor.ts';
import { actorHere, personHere } from '../../src/compose/person.ts';

describe('whom the page names', () => {
  test.each<[string | undefined, object]>([
    [undefined, {}],
    ['', {}],
    [' \t\n', {}],
    ['Anna Berg', { page_person: 'Anna Berg' }],
    [' Anna\n\u202eBerg\u0000 ', { page_person: 'Anna Berg' }],
    ['x'.repeat(500), { page_person: 'x'.repeat(100) }],
    [`${'x'.repeat(99)}\u{1F600}y`, { page_person: `${'x'.repeat(99)}\u{1F600}` }],
  ])('%j is kept as %j', (said, kept) => {
    expect(namedOnPage(said)).toEqual(kept);
  });

  test('takes the place of no account', () => {
    expect(actorHere()).toEqual({ by: personHere() });
  });
});
