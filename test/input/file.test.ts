import { chmod, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readInput } from '../../src/input/input.ts';
import { INPUT_BYTES_MAX, openFile } from '../../src/input/source/file.ts';
import { refusedBy } from '../support/refused.ts';
import { HEADER, npp } from './reading.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payrun-input-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, content = `${HEADER}\n${npp('Ana', '1')}\n`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('a file that is refused before it is read', () => {
  it('is not there', async () => {
    await expect(openFile(join(folder, 'nowhere.csv'))).rejects.toMatchObject({
      kind: 'usage',
      reason: { code: 'file_unusable', why: 'absent' },
    });
  });

  it('is below another file', async () => {
    const path = join(await file('plain.csv'), 'below.csv');
    await expect(openFile(path)).rejects.toMatchObject({ kind: 'usage', reason: { why: 'absent' } });
  });

  it('is a folder, whatever it is called', async () => {
    const path = join(folder, 'folder.csv');
    await mkdir(path);
    await expect(openFile(path)).rejects.toMatchObject({ kind: 'usage', reason: { why: 'folder' } });
  });

  it('is a device', async () => {
    await expect(openFile('/dev/null')).rejects.toMatchObject({
      kind: 'usage',
      reason: { why: 'not_plain' },
    });
  });

  it.each([
    ['pay.pdf', 'is a .pdf file.', 'Give a .csv'],
    ['pay', 'has no extension.', 'Give a .csv'],
    ['pay.XLSB', 'is a .xlsb file.', 'save it as .xlsx'],
    ['pay.numbers', 'is a .numbers file.', 'save it as .xlsx'],
  ])('is %s', async (name, what, remedy) => {
    const path = await file(name);
    expect(await refusedBy(openFile(path))).toEqual({
      kind: 'usage',
      message: `${path} ${what}`,
      remedy: expect.stringContaining(remedy),
      details: { path },
    });
  });

  it('is too large', async () => {
    const path = await file('large.csv');
    const handle = await open(path, 'r+');
    await handle.truncate(INPUT_BYTES_MAX + 1);
    await handle.close();
    await expect(openFile(path)).rejects.toMatchObject({
      kind: 'usage',
      reason: { why: 'too_large', gibibytes: 2 },
    });
  });

  it.skipIf(process.getuid?.() === 0)('may not be read', async () => {
    const path = await file('secret.csv');
    await chmod(path, 0o000);
    await expect(openFile(path)).rejects.toMatchObject({
      kind: 'usage',
      reason: { why: 'not_permitted' },
    });
  });
});

it.each(['pay.csv', 'pay.tsv', 'pay.txt', 'PAY.CSV'])('%s is read from the disk', async (name) => {
  const source = await openFile(await file(name));
  expect(source.name).toBe(name);
  expect(await readInput(source)).toMatchObject({ payouts: 1, problems: [] });
});
