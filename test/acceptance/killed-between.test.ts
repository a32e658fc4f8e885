import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { approvalsAt } from '../../src/app/approve/approvals.ts';
import { showRun } from '../../src/cli/commands/show/run.ts';
import { commandsFor } from '../../src/compose/command-hints.ts';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import { foldPages } from '../../src/journal/pages.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { listed, sharedOffice, TOTAL } from '../support/approval-office.ts';
import { hereOver } from '../support/over-journal.ts';
import { payrun, type Started, start } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-admin.ts';

/** More steps than there are. */
const STEPS_MAX = 60;

type Office = Awaited<ReturnType<typeof sharedOffice>>;

/** Requests live for a second, so that a doubt is soon settled. */
async function office(jobText: Parameters<typeof sharedOffice>[0]): Promise<Office> {
  const given = await sharedOffice(jobText);
  writeFileSync(given.job, given.text.replace('service: {', 'service: {request_lifetime: 6s, listing_lag: 0s, '));
  await (await openDataJournal({ dataDir: given.data })).close();
  return given;
}

/** What every process writes again, so that one which is killed there each time would never come further. */
const AGAIN = [[], ['lease_taken'], ['lease_taken', 'accounted', 'looked']];

/** Resolves once the journal holds another entry of a kind that is none of `but`, or `isOver` says that nobody writes any more. */
async function untilEntry({ data }: Office, but: string[], begin: () => () => boolean): Promise<void> {
  using database = new DatabaseSync(join(data, 'journal.db'), { readOnly: true });
  const entries = database.prepare(
    'SELECT count(*) AS n FROM entry WHERE kind NOT IN (SELECT value FROM json_each(?))',
  );
  const count = () => entries.get(JSON.stringify(but))?.n;
  const before = count();
  const isOver = begin();
  while (!isOver() && count() === before) await machineClock.sleep(1);
}

/** What the process does at the service meanwhile comes to its end; nothing is written to the journal. */
async function killWhileLocked({ data, service }: Office, started: Started): Promise<void> {
  using database = new DatabaseSync(join(data, 'journal.db'), { timeout: 10_000 });
  database.exec('BEGIN IMMEDIATE');
  let [last, same] = ['', 0];
  while (same < 3) {
    await machineClock.sleep(30);
    const now = JSON.stringify(await arrivals(service));
    same = now === last ? same + 1 : 0;
    last = now;
  }
  // The run of a scheduler, whose process it names.
  const pid = /"pid":(\d+)/.exec(started.stdout())?.[1];
  if (pid !== undefined && started.child.exitCode === null) process.kill(Number(pid), 'SIGKILL');
  started.child.kill('SIGKILL');
  await started.ended;
  database.exec('ROLLBACK');
}

/** Starts a command and kills it at the next entry that is none of `but`; gives its exit code, where it ended before. */
async function killedAtNextEntry(given: Office, words: string[], but: string[]): Promise<number | null> {
  let started: Started | undefined;
  await untilEntry(given, but, () => {
    const begun = start(words, { env: given.env, cwd: given.folder });
    started = begun;
    return () => begun.child.exitCode !== null;
  });
  if (started === undefined) throw new Error('nothing was started');
  if (started.child.exitCode === null) await killWhileLocked(given, started);
  return (await started.ended).exit;
}

/** What `show` tells a person to do with the only run; null where it is finished. */
async function announcedNext({ data }: Office, runId: string): Promise<string | null> {
  const journal = await openDataJournal({ dataDir: data });
  let said = '';
  const stdout = (text: string): void => {
    said += text;
  };
  try {
    const here = hereOver(journal, { stdout }, { dataDir: data });
    await showRun({ ...here, command: commandsFor({ dataDir: data }) }, runId);
  } finally {
    await journal.close();
  }
  if (said.includes(`Run ${runId}: finished`)) return null;
  return /^go on with {3}payrun (.*)$/m.exec(said)?.[1] ?? `nothing, in:\n${said}`;
}

async function runIn({ data }: Office) {
  const journal = await openDataJournal({ dataDir: data });
  try {
    const ids = (await journal.listRuns(10)).map(({ run_id }) => run_id);
    expect(ids.length).toBeLessThanOrEqual(1);
    return ids[0] === undefined ? null : await foldPages(journal.readRun(ids[0]));
  } finally {
    await journal.close();
  }
}

/** The words of the command that a person was told, with what only a person knows. */
function typed({ anna, passphrase }: Office, told: string): string[] {
  const words = told.split(' ').map((word) => (word === 'FILE' ? anna.file : word));
  if (words[0] === 'approve') return [...words, '--passphrase-file', passphrase, '--total', TOTAL];
  expect(['run', 'resume']).toContain(words[0]);
  return words[0] === 'run' ? [...words, '--yes'] : words;
}

/** Nobody is paid twice, and an approval that was given counts. */
async function expectSound(given: Office): Promise<void> {
  const paid = (await allTransactions(given.service)).map(({ currency_in }) => currency_in.value);
  expect(new Set(paid).size).toBe(paid.length);
  const run = await runIn(given);
  if (run !== null && run.approvals.length > 0)
    expect(approvalsAt(run, machineClock.wallMs())).toMatchObject({ counted: 1, missing: 0 });
}

/** Does what is told, killed at each entry in turn, until the run is finished. Returns the commands that were killed. */
async function goOnKilled(given: Office, runId: string): Promise<string[]> {
  const killed: string[] = [];
  for (let step = 0; step < STEPS_MAX; step++) {
    const told = await announcedNext(given, runId);
    if (told === null) return killed;
    const words = typed(given, told);
    const times = killed.filter((word) => word === words[0]).length;
    const exit = await killedAtNextEntry(given, words, AGAIN[Math.min(times, AGAIN.length - 1)] ?? []);
    await expectSound(given);
    if (exit === null) killed.push(words[0] ?? '');
    else expect([words[0], exit]).toEqual([words[0], 0]);
  }
  throw new Error(`not finished after ${STEPS_MAX} steps: ${killed}`);
}

async function expectPaidOnce(given: Office, runId: string): Promise<void> {
  expect(await allTransactions(given.service)).toHaveLength(2);
  expect(await admin(given.service, 'verify')).toEqual({ findings: [] });
  expect((await given.run('verify', runId)).exit).toBe(0);
  expect(await given.json('show', runId)).toMatchObject({ counts: { completed: 2 } });
}

it('plan, approve, run and resume, killed at each entry, go on with what show says and pay once', async () => {
  const given = await office(
    ({ anna, ben }) => `approval:\n  preparers:\n${listed([ben])}  approvers:\n${listed([anna])}`,
  );
  const { ben, passphrase, job, words } = given;
  const plan = words('plan', job, '--as', ben.file, '--passphrase-file', passphrase, '--json');
  const early = start(plan, { env: given.env, cwd: given.folder });
  while (Object.keys(await arrivals(given.service)).length === 0) await machineClock.sleep(1);
  await killWhileLocked(given, early);
  expect(await runIn(given)).toBeNull();

  await killedAtNextEntry(given, plan, []);
  const runId = (await runIn(given))?.header?.run_id ?? '';
  const killed = await goOnKilled(given, runId);
  // An approval is one entry, and its process may have ended when it is seen: approve.test.ts kills it for certain.
  expect(new Set(killed.filter((word) => word !== 'approve'))).toEqual(new Set(['run', 'resume']));
  expect(killed.length).toBeGreaterThan(8);
  expect((await runIn(given))?.approvals).toHaveLength(1);
  await expectPaidOnce(given, runId);
});

it('schedule and its run, killed at their first entry, say that the run was cut off, and it is paid once', async () => {
  const given = await office(() => 'schedule: {cron: "* * * * *", time_zone: UTC, period: time}\n');
  const { job, words, env, folder } = given;
  const schedule = words('schedule', '--once', job, '--json');
  expect(await killedAtNextEntry(given, schedule, [])).toBeNull();
  const runId = (await runIn(given))?.header?.run_id ?? '';
  const again = await payrun(schedule, { env, cwd: folder });
  expect(again.stdout).toContain(`"event":"cut_off","job":"pay","run_id":"${runId}"`);
  expect(again.exit).not.toBe(0);
  expect((await payrun(typed(given, (await announcedNext(given, runId)) ?? ''), { env, cwd: folder })).exit).toBe(0);
  await expectPaidOnce(given, runId);
});
