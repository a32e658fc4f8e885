import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { workingCommands } from '../../src/cli/command.ts';
import { publishedSchemas } from '../../src/cli/json/schemas.ts';
import { COMMANDS } from '../../src/cli/payrun.ts';
import { unpublished, unpublishedIn } from '../support/published-schemas.ts';

/** Of results that are not those of one command. */
const OTHERS = ['refusal', 'report-file'];

/** Every command that declares `--json`, by its words: `service webhook add`. */
function commandsWithJson(): string[] {
  const working = [...workingCommands(COMMANDS)];
  return working.flatMap(([words, { options = {} }]) => (Object.keys(options).includes('json') ? [words] : []));
}

const schemas = await publishedSchemas();

test('every command with --json has a published schema, and every schema its command', () => {
  const commands = commandsWithJson();
  expect(commands.length).toBeGreaterThan(25);
  const names = commands.map((command) => command.replaceAll(' ', '-'));
  expect([...schemas.keys()].toSorted()).toEqual([...names, ...OTHERS].toSorted());
});

test.each([...schemas])('the schema of %s says what it is, and is JSON Schema 2020-12', (name, schema) => {
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:payrun:schema:${name}`,
    title: expect.stringMatching(/./),
    description: expect.stringMatching(/\.$/),
  });
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  expect(ajv.validateSchema(schema)).toBe(true);
  ajv.compile(schema);
});

test('a member that is missing, or is not in the schema, is found in what a command prints', () => {
  const runs = JSON.stringify({ runs: [] });
  expect(unpublishedIn(['runs', '--json'], `${runs}\n`, '.')).toBeNull();
  expect(unpublished('runs', JSON.stringify({ runs: [], more: 1 }))).toContain(
    'must NOT have additional properties {"additionalProperty":"more"}',
  );
  expect(unpublished('runs', '{}')).toContain("required property 'runs'");
  expect(unpublished('runs', JSON.stringify({ runs: [{}] }))).toContain('/runs/0');
  expect(unpublishedIn(['runs', '--json'], 'No runs yet.\n', '.')).toContain('is no JSON');
  const refused = { run_id: null, state: 'refused', message: 'No.', remedy: 'Yes.', exit: 6 };
  for (const words of [['runs'], ['service', 'webhook', 'add'], ['nonsense']]) {
    expect(unpublishedIn(words, `${JSON.stringify(refused)}\n`, '.')).toBeNull();
    expect(unpublishedIn(words, `${JSON.stringify({ ...refused, exit: 9 })}\n`, '.')).toContain('/exit');
  }
});
