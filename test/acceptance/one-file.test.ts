import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { oneFile } from '../support/one-file.ts';
import { PROJECT, temporaryFolder } from '../support/payrun.ts';
import { atEnd } from '../support/side-by-side.ts';
import { comeIn, until } from '../web/page-process.ts';

const execute = promisify(execFile);

const ROWS = [
  ['name', 'amount', 'currency', 'rail', 'account_number', 'national_clearing_code'],
  ['Ada Byron', '10.50', 'AUD', 'AUD_NPP', '12345678', '062-000'],
];

test('the one file pays, converts and serves the page without Node and without packages', async () => {
  const folder = temporaryFolder();
  const cwd = join(folder, 'empty');
  mkdirSync(cwd);
  const program = await oneFile(folder);
  const here = { cwd, env: { HOME: cwd, PATH: '/usr/bin:/bin', TMPDIR: folder } };

  copyFileSync(join(PROJECT, 'samples/payroll.csv'), join(cwd, 'payroll.csv'));
  const ran = await execute(program, ['run', 'payroll.csv', '--yes', '--json', '--rate', '0'], here);
  const { run_id: runId, ...result } = JSON.parse(ran.stdout);
  expect(result).toMatchObject({ state: 'finished', counts: { completed: 45 }, exit: 0 });
  const formats = ['csv', 'html', 'json', 'xlsx'].map((format) => `report.${format}`);
  expect(readdirSync(join(cwd, 'reports', runId)).toSorted()).toEqual(formats);

  // A process under Node's permissions, and a thread in it.
  writeFileSync(join(cwd, 'pay.xls'), `<html><body><table>${ROWS.map(cells).join('')}</table></body></html>`);
  const checked = await execute(program, ['check', 'pay.xls', '--json'], here);
  expect(JSON.parse(checked.stdout)).toMatchObject({ payouts: 1, problems: [], exit: 0 });

  const page = spawn(program, ['web', '--json', '--port', '0'], { ...here, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => void page.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: page.stdout }), 'line');
  const { url, first_user_url: link } = JSON.parse(String(line));
  const ada = await comeIn(url, link, { name: 'Ada', role: ['administrator', 'preparer'] });
  // An upload is checked by a process of its own, and the template is made in a thread.
  const upload = await ada.upload('two.csv', ROWS.map((row) => row.join(',')).join('\n'));
  await until(ada, upload, ({ text }) => text.includes('1 payout of 10.50 AUD'));
  expect((await ada.get('/template.xlsx')).status).toBe(200);
});

const cells = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
