import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { identifyProcess, isProcessAlive, type ProcessView } from '../../src/journal/process-identity.ts';

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

type Shown = { boot?: string; namespace?: string; processes?: Record<number, { letter?: string; started: string }> };

/** A machine as its /proc shows it. */
function machine(shown: Shown, view: Partial<ProcessView> = {}): ProcessView {
  const procDirectory = mkdtempSync(join(tmpdir(), 'payrun-proc-'));
  directories.push(procDirectory);
  if (shown.boot !== undefined) {
    mkdirSync(join(procDirectory, 'sys/kernel/random'), { recursive: true });
    writeFileSync(join(procDirectory, 'sys/kernel/random/boot_id'), `${shown.boot}\n`);
    mkdirSync(join(procDirectory, 'self/ns'), { recursive: true });
    symlinkSync(`pid:[${shown.namespace ?? '1'}]`, join(procDirectory, 'self/ns/pid'));
  }
  for (const [pid, { letter = 'S', started }] of Object.entries(shown.processes ?? {})) {
    mkdirSync(join(procDirectory, pid));
    const fields = [letter, ...Array.from({ length: 18 }, (_, index) => index), started, 'rest'];
    writeFileSync(join(procDirectory, pid, 'stat'), `${pid} (a ) b (c) ${fields.join(' ')}\n`);
  }
  return { host: 'host', pid: 7, procDirectory, exists: () => false, ...view };
}

const BOOT = { boot: 'boot-1', processes: { 7: { started: '1234' } } };

describe('the identity of a process', () => {
  it('is its host, boot, id and start time', () => {
    expect(identifyProcess(machine(BOOT))).toEqual({
      host: 'host',
      boot_id: 'boot-1 pid:[1]',
      pid: 7,
      started: '1234',
    });
  });

  it('is its host and id where the kernel shows nothing more', () => {
    expect(identifyProcess(machine({}))).toEqual({ host: 'host', boot_id: '', pid: 7, started: '' });
  });

  it.runIf(process.platform === 'linux')('of this process is complete and stays the same', () => {
    const identity = identifyProcess();
    expect(identity.pid).toBe(process.pid);
    expect(identity.boot_id).toMatch(/^[0-9a-f-]{36} pid:\[\d+\]$/);
    expect(identity.started).toMatch(/^\d+$/);
    expect(identifyProcess()).toEqual(identity);
    expect(isProcessAlive(identity)).toBe(true);
  });
});

describe('a process is alive', () => {
  const holder = identifyProcess(machine(BOOT));

  it.each<[string, boolean, Shown, Partial<ProcessView>]>([
    ['when it is there with its start time', true, BOOT, {}],
    ['when it is stopped', true, { boot: 'boot-1', processes: { 7: { started: '1234', letter: 'T' } } }, {}],
    ['not when it is gone', false, { boot: 'boot-1' }, {}],
    ['not when its id was given to another', false, { boot: 'boot-1', processes: { 7: { started: '99' } } }, {}],
    ['not when it is a zombie', false, { boot: 'boot-1', processes: { 7: { started: '1234', letter: 'Z' } } }, {}],
    ['when it is hidden from us but there', true, { boot: 'boot-1' }, { exists: () => true }],
    ['for all we know after another boot', true, { boot: 'boot-2' }, {}],
    ['for all we know in another container', true, { boot: 'boot-1', namespace: '2' }, {}],
    ['for all we know on another host', true, { boot: 'boot-1' }, { host: 'other' }],
  ])('%s: %s', (_, alive, shown, view) => {
    expect(isProcessAlive(holder, machine(shown, view))).toBe(alive);
  });

  it.each([true, false])('where the kernel shows nothing, when its id exists: %s', (exists) => {
    const view = machine({}, { exists: () => exists });
    expect(isProcessAlive(identifyProcess(view), view)).toBe(exists);
  });

  it.runIf(process.platform === 'linux')('until it is killed', async () => {
    const child = spawn('sleep', ['600']);
    await once(child, 'spawn');
    const { pid = 0 } = child;
    const identity = identifyProcess({ ...machineOfTests(), pid });
    expect(isProcessAlive(identity)).toBe(true);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(isProcessAlive(identity)).toBe(false);
  });
});

function machineOfTests(): ProcessView {
  return { host: identifyProcess().host, pid: process.pid, procDirectory: '/proc', exists: () => false };
}
