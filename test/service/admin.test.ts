import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ADMIN_OPERATIONS } from '../../src/service/admin/operations.ts';
import { FAULT_KINDS } from '../../src/service/gateway/faults.ts';

const README = readFileSync(new URL('../../src/service/README.md', import.meta.url), 'utf8');

it('every operation of the admin port takes the example that it shows', () => {
  for (const [name, { schema, example }] of ADMIN_OPERATIONS) {
    const parsed = schema.safeParse(example);
    expect(parsed.success, `${name}: ${parsed.error}`).toBe(true);
  }
});

it('the readme shows each as the command takes it, and every kind of fault', () => {
  const lines = README.split('\n');
  for (const [name, { example }] of ADMIN_OPERATIONS) {
    const pairs = Object.entries(example).map(([key, value]) => `${key}=${value}`);
    const command = ['payrun service admin', name, ...pairs].join(' ');
    expect(
      lines.some((line) => line === command || line.startsWith(`${command} `)),
      command,
    ).toBe(true);
  }
  for (const kind of FAULT_KINDS) expect(README).toContain(`| \`${kind}\` |`);
});
