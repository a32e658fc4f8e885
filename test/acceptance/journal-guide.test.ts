import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { newJournalDatabase } from '../journal/postgres-place.ts';
import { blocksOf, guideText, sectionOf } from '../support/guides.ts';
import { PROJECT, payrun, temporaryFolder } from '../support/payrun.ts';
import { PAYRUN_MAIN } from '../support/payrun-process.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';

const GUIDE = guideText('src/journal/README.md');

const shellOf = (heading: string) =>
  blocksOf(sectionOf(GUIDE, heading))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);

/** A folder with a rehearsal's journal, and a shell there in which `payrun` is this program and /backup a folder of its own. */
async function shell(database: string) {
  const cwd = temporaryFolder();
  const backup = join(cwd, 'backup');
  mkdirSync(backup);
  const ran = await payrun(['run', join(PROJECT, 'samples/payroll.csv'), '--yes', '--rate', '0', '--json'], { cwd });
  expect(ran, ran.stderr).toMatchObject({ exit: 0 });
  const { run_id: runId } = JSON.parse(ran.stdout);
  const program = join(cwd, 'payrun');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${PAYRUN_MAIN}' "$@"\n`);
  chmodSync(program, 0o700);
  const run = (text: string, env: Record<string, string> = {}) => {
    const here = text
      .replaceAll('/backup', backup)
      .replaceAll('postgres://payrun_worker@db.example/payrun', database)
      .replaceAll('R20261125-7K3M9QZ2', runId);
    const script = here.replaceAll(`${backup}/heads-${runId}.txt`, `reports/heads-${runId}.txt`);
    const path = `${cwd}:${process.env.PATH}`;
    const ended = spawnSync('bash', ['-euc', script], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, ...env, PATH: path },
    });
    expect(ended.status, `${script}\n${ended.stdout}${ended.stderr}`).toBe(0);
    return ended.stdout;
  };
  return { runId, run };
}

test('the commands of the guide back up, check, restore, move and move back', async () => {
  const database = await newJournalDatabase();
  const { runId, run } = await shell(database.as('payrun_worker'));
  const [backup = '', postgres = ''] = shellOf('Back up');
  expect(run(backup)).toContain('1 run with ');
  const [restore = ''] = shellOf('Restore');
  expect(run(restore)).toContain(runId);
  const [move = ''] = shellOf('Move');
  expect(run(move)).toContain('Moved 1 run with ');
  const [check = ''] = shellOf('Check');
  const checked = run(check);
  expect(checked).toContain('none altered');
  expect(checked).toContain('Its runs were moved to');

  // Those of PostgreSQL need tools as new as the server, which npm does not bring.
  expect(postgres).toContain('pg_dump');
  const server = await sharedPostgres();
  const tools = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const isNew = tools.status === 0 && Number(/ (\d+)/.exec(tools.stdout)?.[1]) >= 18;
  if (isNew) {
    const { host, port, user, password } = server;
    await statements(urlOf(server, 'postgres'), `CREATE DATABASE ${database.name}_restored`);
    const text = postgres
      .replace(/payrun$/m, database.name)
      .replace('--dbname restored', `--dbname ${database.name}_restored`);
    run(text, { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password });
  }
  await statements(urlOf(server, 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`);
});
