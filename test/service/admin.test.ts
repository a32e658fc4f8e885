import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ADMIN_EXAMPLES } from '../../src/service/admin/admin-examples.ts';
import { ADMIN_OPERATIONS } from '../../src/service/admin/admin-operations.ts';
import { FAULT_KINDS } from '../../src/service/gateway/faults.ts';

const README = readFileSync(new URL('../../src/service/README.md', import.meta.url), 'utf8');

it('every operation of the admin port has an example that it takes, and no other has one', () => {
  expect(Object.keys(ADMIN_EXAMPLES).sort()).toEqual([...ADMIN_OPERATIONS.keys()].sort());
  for (const [name, { body }] of Object.entries(ADMIN_EXAMPLES)) {
    const parsed = ADMIN_OPERATIONS.get(name)?.schema.safeParse(body);
    expect(parsed?.success, `${name}: ${parsed?.error}`).toBe(true);
  }
});

it('the readme shows each as the command takes it, and every kind of fault', () => {
  const lines = README.split('\n');
  for (const [name, { body }] of Object.entries(ADMIN_EXAMPLES)) {
    const pairs = Object.entries(body).map(([key, value]) => `${key}=${value}`);
    const command = ['payrun service admin', name, ...pairs].join(' ');
    expect(
      lines.some((line) => line === command || line.startsWith(`${command} `)),
      command,
    ).toBe(true);
  }
  for (const kind of FAULT_KINDS) expect(README).toContain(`| \`${kind}\` |`);
});
