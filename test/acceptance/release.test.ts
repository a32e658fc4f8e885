import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { PROJECT } from '../support/payrun.ts';

const execute = promisify(execFile);

const step = z.strictObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  if: z.string().optional(),
  shell: z.string().optional(),
  'working-directory': z.string().optional(),
});
const job = z.strictObject({
  'runs-on': z.string(),
  needs: z.string().optional(),
  strategy: z
    .strictObject({ matrix: z.strictObject({ include: z.array(z.record(z.string(), z.string())) }) })
    .optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
const { jobs, permissions } = workflow.parse(
  parse(readFileSync(join(PROJECT, '.github/workflows/release.yml'), 'utf8'), { strict: true, uniqueKeys: true }),
);
const steps = Object.values(jobs).flatMap((one) => one.steps);
const runs = steps.flatMap(({ run }) => run ?? []);

test('the release runs what is in the project, by actions of a named version', () => {
  for (const [, name = ''] of runs.join('\n').matchAll(/npm run (?:-s )?([\w:-]+)/g))
    expect(Object.keys(manifest.scripts)).toContain(name);
  for (const { uses, run } of steps) expect((uses === undefined) !== (run === undefined)).toBe(true);
  for (const { uses = '@v1' } of steps) expect(uses).toMatch(/@v\d+$/);
  for (const { needs } of Object.values(jobs)) if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs);
  const files = jobs['one-file']?.strategy?.matrix.include.map(({ file }) => file) ?? [];
  for (const system of ['linux', 'darwin', 'win32'])
    expect(files.filter((file) => file?.startsWith(`payrun-${system}-`))).not.toEqual([]);
});

test('nothing is published before it is tested, and only the job that publishes may write', () => {
  expect([jobs['one-file']?.needs, jobs.publish?.needs]).toEqual(['test', 'one-file']);
  expect(permissions).toEqual({ contents: 'read' });
  const writers = Object.entries(jobs).filter(([, one]) => one.permissions !== undefined);
  expect(writers.map(([name]) => name)).toEqual(['publish']);
  // The statement of where it was built is signed for the identity of the job.
  expect(jobs.publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  expect(jobs.publish?.steps.map(({ run }) => run)).toContain('npm publish --provenance --access public');
});

test('the bill of materials names every package that payrun depends on, in the version of the lockfile', async () => {
  const { stdout } = await execute('npm', ['run', '-s', 'sbom'], { cwd: PROJECT, maxBuffer: 16_777_216 });
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { purl: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const listed = components.map(({ purl }) => decodeURIComponent(purl.replace(/[?#].*$/, '')));
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'));
  // Those of the build are in it too, and marked: without them npm leaves out what both need.
  for (const name of Object.keys(manifest.dependencies))
    expect(listed).toContain(`pkg:npm/${name}@${packages[`node_modules/${name}`].version}`);
});
