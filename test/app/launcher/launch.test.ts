import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { launch, type Program } from '../../../src/app/launcher/launch.ts';
import type { Limits } from '../../../src/app/launcher/task.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { machineClock } from '../../../src/platform/machine.ts';
import { type Measure, onMeasure } from '../../../src/platform/measures.ts';
import { PROJECT, temporaryFolder } from '../../support/payrun.ts';

const source = (path: string): string => JSON.stringify(pathToFileURL(join(PROJECT, path)).href);

/** A program whose one task does what its order says. */
const WORKER = `
import { appendFileSync, writeFileSync } from 'node:fs';
import { z } from ${source('node_modules/zod/index.js')};
import { serveTask } from ${source('src/app/launcher/serve.ts')};
import { Refusal } from ${source('src/domain/refusal.ts')};
import { machineClock } from ${source('src/platform/machine.ts')};
import { measure } from ${source('src/platform/measures.ts')};

const acts = {
  answer: (order, report, setup) => {
    for (const at of [1, 2]) report({ at });
    return { order, setup, argv: process.argv.slice(2), env: process.env.ENV_OF_TEST, pid: process.pid };
  },
  refuse: () => { throw new Refusal({ code: 'unknown_run', runId: 'R1', near: null }); },
  bug: () => { throw new TypeError('a bug'); },
  measured: () => {
    for (const seconds of [1, 2]) measure({ kind: 'rate_limit_wait', seconds });
    return {};
  },
  nonsense: () => 7,
  exit: () => { console.error('x'.repeat(10_000) + 'end'); process.exit(3); },
  killed: () => process.kill(process.pid, 'SIGKILL'),
  hang: () => { for (;;); },
  heap: () => { const held = []; for (;;) held.push({ n: held.length }); },
  buffers: async () => { const held = []; for (;;) { held.push(Buffer.alloc(16 << 20, 1)); await machineClock.sleep(5); } },
  wait: async ({ file, ms }) => {
    writeFileSync(file, String(process.pid));
    await machineClock.sleep(ms);
    appendFileSync(file, ' over');
    return {};
  },
};
const limits = process.env.LASTING === 'yes' ? null : { memoryMb: 64, timeMs: 60_000 };
const task = { order: z.looseObject({ act: z.string() }), progress: z.unknown(), value: z.unknown(), limits };
serveTask({
  tasks: { test: task },
  workerOf: (_name, setup) => async (order, report) => acts[order.act](order, report, setup),
  refusalOf: (error) => (error instanceof Refusal ? error : null),
  clock: machineClock,
});
`;

function program(env: Record<string, string> = {}): Program {
  const folder = temporaryFolder();
  const file = join(folder, 'worker.mjs');
  writeFileSync(file, WORKER);
  return { file, execArgv: [], cwd: folder, env: { ...process.env, ...env } };
}

const order = z.looseObject({ act: z.string() });
const LIMITS: Limits = { memoryMb: 64, timeMs: 60_000 };

function task(limits: Limits | null = LIMITS) {
  return { order, progress: z.object({ at: z.number() }), value: z.looseObject({}), limits };
}

function ask(act: string, limits?: Limits, more: Record<string, unknown> = {}) {
  const given = { program: program(), name: 'test', task: task(limits), setup: null, clock: machineClock };
  return launch({ ...given, order: { act, ...more } }).ended;
}

test('an order is done in a process of its own, which reports how far it is; no argument or variable carries any of it', async () => {
  const progress: unknown[] = [];
  const { pid, ended } = launch({
    program: program({ ENV_OF_TEST: 'here' }),
    name: 'test',
    task: task(),
    setup: { dataDir: 'data' },
    order: { act: 'answer', passphrase: 'four words' },
    clock: machineClock,
    onProgress: (at) => progress.push(at),
  });
  const { value } = (await ended) as { value: Record<string, unknown> };
  expect(value).toEqual({
    order: { act: 'answer', passphrase: 'four words' },
    setup: { dataDir: 'data' },
    argv: ['--worker'],
    env: 'here',
    pid,
  });
  expect(progress).toEqual([{ at: 1 }, { at: 2 }]);
});

test('what is measured in a process is counted in the one that started it, where anybody counts', async () => {
  const heard: Measure[] = [];
  expect((await ask('measured')).outcome).toBe('done');
  const end = onMeasure((one) => heard.push(one));
  expect((await ask('measured')).outcome).toBe('done');
  end();
  expect(heard).toEqual([1, 2].map((seconds) => ({ kind: 'rate_limit_wait', seconds })));
});

test('a refusal comes with its code and its parameters', async () => {
  const { reason } = new Refusal({ code: 'unknown_run', runId: 'R1', near: null });
  const refusal = { reason };
  expect(await ask('refuse')).toEqual({ outcome: 'refused', refusal });
});

test('a bug, an order and an answer that are none, and a program that is not there, fail the task', async () => {
  expect(await ask('bug')).toMatchObject({ outcome: 'failed', error: expect.stringContaining('TypeError: a bug') });
  expect(await ask('nonsense')).toMatchObject({ outcome: 'failed', error: expect.stringContaining('expected object') });
  const none = { ...program(), cwd: '/no such folder' };
  const given = { name: 'test', task: task(), setup: null, clock: machineClock };
  expect(await launch({ ...given, program: none, order: { act: 'answer' } }).ended).toMatchObject({
    outcome: 'failed',
  });
  expect(await launch({ ...given, program: program(), order: {} as never }).ended).toMatchObject({ outcome: 'failed' });
});

test('a process that ends or is killed in the middle has died, and the end of its standard error is there', async () => {
  const died = await ask('exit');
  expect(died).toMatchObject({ outcome: 'died', exit: 3, signal: null });
  const { stderr } = died as { stderr: string };
  expect([stderr.length, stderr.trimEnd().endsWith('xend')]).toEqual([8_192, true]);
  expect(await ask('killed')).toMatchObject({ outcome: 'died', exit: null, signal: 'SIGKILL' });
});

test('a process that takes too much memory, of whatever kind, or too long, is ended', async () => {
  expect(await ask('heap')).toEqual({ outcome: 'out_of_memory' });
  expect(await ask('buffers')).toEqual({ outcome: 'out_of_memory' });
  expect(await ask('hang', { ...LIMITS, timeMs: 1_500 })).toEqual({ outcome: 'out_of_time' });
});

/** A process that gives `act: 'wait'` to a task, and is killed once that has begun. */
async function orphan(isLasting: boolean): Promise<string> {
  const worker = program(isLasting ? { LASTING: 'yes' } : {});
  const file = join(worker.cwd, 'waited');
  const parent = join(worker.cwd, 'parent.mjs');
  writeFileSync(
    parent,
    `import { z } from ${source('node_modules/zod/index.js')};
import { launch } from ${source('src/app/launcher/launch.ts')};
import { machineClock } from ${source('src/platform/machine.ts')};
const task = { order: z.unknown(), progress: z.unknown(), value: z.unknown(), limits: ${isLasting ? 'null' : JSON.stringify(LIMITS)} };
const order = { act: 'wait', file: ${JSON.stringify(file)}, ms: 2_000 };
launch({ program: { ...${JSON.stringify({ ...worker, env: {} })}, env: process.env }, name: 'test', task, setup: null, order, clock: machineClock });
setInterval(() => {}, 1_000);
`,
  );
  const child = spawn(process.execPath, [parent], { env: worker.env, stdio: 'inherit' });
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+/);
  child.kill('SIGKILL');
  const pid = Number(readFileSync(file, 'utf8').split(' ')[0]);
  await expect.poll(() => isRunning(pid)).toBe(false);
  return readFileSync(file, 'utf8');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a task with limits ends with the process that started it, and one that lasts goes on to its end', async () => {
  expect(await orphan(false)).toMatch(/^\d+$/);
  expect(await orphan(true)).toMatch(/^\d+ over$/);
});
