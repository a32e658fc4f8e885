import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it, vi } from 'vitest';
import type { ScheduleEvent } from '../../src/app/schedule/schedule-event.ts';
import { eventWords } from '../../src/cli/commands/schedule/event-words.ts';
import { ScheduleNotices } from '../../src/compose/machine/schedule-notices.ts';
import { readSettings } from '../../src/compose/settings.ts';
import { requireJob } from '../../src/job/job-file.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { mailServer } from '../support/mail-server.ts';
import { temporaryFolder } from '../support/payrun.ts';

const TIME = { job: 'pay', period: '2031-11', due_at: Date.parse('2031-11-25T08:00:00Z'), time_zone: 'UTC' };
const PLAN = { run_id: 'R1', approvals_missing: 0, why: 'it paid ••••3000', next: 'payrun plan pay' };

/** What people are told of events, where a job tells them `on` these. */
async function toldOf(events: readonly ScheduleEvent[], on: string) {
  const folder = temporaryFolder();
  const mail = await mailServer();
  const file = join(folder, 'pay.yaml');
  const email = '{to: [a@example.org], from: p@example.org, smtp: "env:MAIL"}';
  writeFileSync(file, `input: a.csv\nnotify: {on: ${on}, email: ${email}}\n`);
  vi.stubEnv('MAIL', mail.url);
  const settings = readSettings({ dataDir: folder }, process.env);
  const lines: string[] = [];
  const io = { stderr: (text: string) => void lines.push(text) };
  const words = (event: ScheduleEvent) => eventWords(event, plainCommand);
  // Two schedulers of one data directory.
  for (const notices of [1, 2].map(() => new ScheduleNotices(settings, io, words))) {
    for (const event of events) notices.hear(event, requireJob(file));
    await notices.settled();
  }
  vi.unstubAllEnvs();
  expect(lines).toEqual([]);
  return mail.mails.map(({ subject, text }) => [subject, text.split('\n').at(-1)]);
}

it.each<[string, ScheduleEvent, string, string, string]>([
  [
    'a time that was missed',
    { event: 'missed', ...TIME, will_run: false },
    '[failed]',
    'pay, 2031-11 was missed',
    'Pay it: payrun run pay --period 2031-11',
  ],
  [
    'a job that was given up',
    { event: 'gave_up', ...TIME, exit: 8, tries: 9, tries_max: 9 },
    '[failed]',
    'pay, 2031-11 was discarded: nothing was sent',
    'nothing was sent in 9 tries, and it is not tried again. Pay it: payrun run pay --period 2031-11',
  ],
  [
    'a process that was killed',
    { event: 'killed', ...TIME, signal: 'SIGKILL' },
    '[failed]',
    'pay, 2031-11 was cancelled before it started',
    '(SIGKILL) before anything was sent. Pay it: payrun run pay --period 2031-11',
  ],
  [
    'a run that was cut off',
    { event: 'cut_off', job: 'pay', run_id: 'R1' },
    '[doubts]',
    'pay was interrupted and needs a person',
    'Go on with it: payrun resume R1',
  ],
  [
    'a run that was cut off, as a failure',
    { event: 'cut_off', job: 'pay', run_id: 'R1' },
    '[failed]',
    'pay was interrupted and needs a person',
    'Go on with it: payrun resume R1',
  ],
  [
    'a plan that cannot be run, without accounts',
    { event: 'useless_plan', ...TIME, ...PLAN, will_run: false },
    '[failed]',
    'pay, 2031-11 was not run: its plan cannot be run any more',
    'the plan R1 cannot be run any more (it paid (left out)). Plan again: payrun plan pay',
  ],
  [
    'an approved plan whose time has passed',
    { event: 'planned', ...TIME, ...PLAN, why: null, words: 'is approved; pay it with: payrun run R1', missed: true },
    '[failed]',
    'pay, 2031-11 was missed: its plan waits',
    'R1 is approved; pay it with: payrun run R1',
  ],
])('people are told of %s, once', async (_, event, on, subject, text) => {
  const told = await toldOf([event, event], on);
  expect(told).toEqual([[`REHEARSAL: payrun: ${subject}`, expect.stringContaining(text)]]);
});

it.each<[string, ScheduleEvent, string]>([
  ['what the job does not want told', { event: 'missed', ...TIME, will_run: false }, '[doubts]'],
  ['a plan whose time has come', { event: 'planned', ...TIME, ...PLAN, missed: false }, '[failed]'],
  ['a missed time that is run now', { event: 'missed', ...TIME, will_run: true }, '[failed]'],
  ['a run that is tried again', { event: 'again', ...TIME, exit: 8, tries: 1, tries_max: 9, again_at: 0 }, '[failed]'],
])('nobody is told of %s', async (_, event, on) => {
  expect(await toldOf([event], on)).toEqual([]);
});
