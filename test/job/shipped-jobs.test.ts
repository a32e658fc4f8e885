import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { jobSchema } from '../../src/job/job-file.ts';
import { listJobs } from '../../src/job/jobs-folder.ts';
import { PROJECT, payrun, temporaryFolder } from '../support/payrun.ts';

const FOLDER = join(PROJECT, 'jobs');
const SHIPPED = ['monthly-payroll', 'weekly-suppliers'];
const keys = Object.keys(jobSchema.shape);

describe('the shipped jobs', () => {
  it('are two, and right', () => {
    expect(listJobs(FOLDER).map(({ name, read }) => ({ name, ok: read.ok }))).toEqual(
      SHIPPED.map((name) => ({ name, ok: true })),
    );
  });

  it.each(SHIPPED)('%s pays its sample as it stands', async (job) => {
    const folder = temporaryFolder();
    const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
    expect((await payrun(['check', job, '--data-dir', join(folder, 'data')])).exit).toBe(0);
    const { exit, stdout } = await payrun(['run', job, '--yes', '--json', '--rate', '0', ...where]);
    expect(exit).toBe(0);
    const { counts, rehearsal } = JSON.parse(stdout);
    expect(rehearsal).toBe(true);
    expect(counts.completed).toBeGreaterThan(1);
  });
});

describe('the schema for editors', () => {
  const read = () => JSON.parse(readFileSync(join(FOLDER, 'job.schema.json'), 'utf8'));

  it('is that of the program', async () => {
    const schema = { title: 'A job of payrun', ...z.toJSONSchema(jobSchema, { io: 'input' }) };
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(join(FOLDER, 'job.schema.json'));
  });

  it('is named by the shipped jobs, and takes them', () => {
    const isRight = new Ajv2020({ allowUnionTypes: true }).compile(read());
    for (const job of SHIPPED) {
      const text = readFileSync(join(FOLDER, `${job}.yaml`), 'utf8');
      expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=job.schema.json');
      expect(isRight(parse(text)), JSON.stringify(isRight.errors)).toBe(true);
    }
    const right = {
      input: 'a.csv',
      rate: 5,
      sheet: 'July',
      expect_total: { AUD: 12.5 },
      columns: { A: 'name', B: false },
    };
    expect(isRight(right), JSON.stringify(isRight.errors)).toBe(true);
    for (const wrong of [
      {},
      { input: 'a', inptu: 'b' },
      { input: 'a', yes: 'yes' },
      { input: 'a', columns: { A: 'x' } },
    ])
      expect(isRight(wrong)).toBe(false);
  });

  it('says something of each key, and so does the README', () => {
    const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
    const { properties } = read();
    for (const key of [...keys, ...Object.keys(properties.service.properties)]) {
      expect((properties[key] ?? properties.service.properties[key]).description, key).toBeTruthy();
      expect(readme).toContain(`\`${key}\``);
    }
  });
});
