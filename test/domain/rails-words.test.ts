import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Finding, NO_FIELDS, RAIL_NAMES, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { railOf } from '../../src/domain/rails/registry.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';
import { DESTINATIONS } from '../support/destinations.ts';

/** What people and programs are told when one thing is wrong with the rail's example of `destinations.ts`. */
type Words = {
  /** Severity and code. */
  finding: string;
  field: Finding['field'];
  /** What is written instead of the example's own values. */
  written: Partial<RailFields> & { reference?: string };
  message: string;
  remedy: string;
  suggestion?: string;
};

type RailWords = { rail: RailName; source: string; findings: Words[] };

const FOLDER = join(import.meta.dirname, 'rails-words');
const ALL: RailWords[] = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));

function told(name: RailName, { reference = '', ...fields }: Words['written']): Omit<Words, 'written'>[] {
  const rail = railOf(name);
  const sent = rail.normalise({ ...NO_FIELDS, ...DESTINATIONS[name].fields, ...fields });
  return [...rail.check(sent), ...rail.checkReference(reference)].map(({ severity, code, params, ...rest }) => ({
    finding: `${severity} ${code}`,
    ...rest,
    ...problemWords({ code, params }, 'command_line'),
  }));
}

describe('the words of a rail', () => {
  it('are in a file of its own, with where its rule is from', () => {
    expect(ALL.map(({ rail }) => rail).sort()).toEqual([...RAIL_NAMES].sort());
    for (const { rail, source } of ALL) expect(railOf(rail).source).toBe(source);
  });

  it.each(RAIL_NAMES)('%s: nothing is said of its example', (name) => {
    expect(told(name, {})).toEqual([]);
  });

  it.each(
    ALL.flatMap(({ rail, findings }) =>
      findings.map(({ written, ...expected }) => [rail, expected.finding, JSON.stringify(written), written, expected]),
    ) as [RailName, string, string, Words['written'], Omit<Words, 'written'>][],
  )('%s: %s of %s', (rail, _finding, _written, written, expected) => {
    expect(told(rail, written)).toEqual([expected]);
  });
});
