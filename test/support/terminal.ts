import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { plainCommand } from '../../src/messages/command-line.ts';
import { PAYRUN_MAIN, PROJECT } from './payrun-process.ts';
import { atEnd } from './side-by-side.ts';

/** util-linux's `script`, which gives a command a terminal of its own. */
const SCRIPT = '/usr/bin/script';

/** Whether commands can be started at a terminal on this machine. */
export const hasTerminal = process.platform === 'linux' && existsSync(SCRIPT);

/**
 * Runs the real command at a real terminal, as a person does: each answer is typed when its question has been asked, which
 * is a text behind the answer before. Resolves with the exit code and all that the screen showed.
 */
export function atTerminal(
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
  options: { env: Record<string, string> },
): Promise<{ exit: number | null; screen: string }> {
  const command = plainCommand(process.execPath, PAYRUN_MAIN, ...args).replace(/^payrun /, '');
  const child = spawn(SCRIPT, ['-qefc', command, '/dev/null'], {
    cwd: PROJECT,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env, TERM: 'dumb' },
  });
  atEnd(() => void (child.exitCode === null && child.kill('SIGKILL')));
  const left = [...answers];
  let screen = '';
  let answeredUpTo = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [next] = left;
    const asked = next === undefined ? -1 : screen.indexOf(next[0], answeredUpTo);
    if (next === undefined || asked === -1) return;
    answeredUpTo = asked + next[0].length;
    left.shift();
    child.stdin.write(`${next[1]}\r`);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, screen }));
  });
}

/**
 * Starts the real command at a real terminal that can be closed as a window is: then the kernel
 * hangs up on the command, which lives as long as it likes. `gone` resolves when it has ended.
 */
export function inWindow(args: readonly string[]): {
  screen(): string;
  close(): Promise<void>;
  gone: Promise<void>;
} {
  const command = plainCommand(process.execPath, PAYRUN_MAIN, ...args).replace(/^payrun /, '');
  const child = spawn(SCRIPT, ['-qefc', command, '/dev/null'], {
    cwd: PROJECT,
    // Nobody waits for a command whose window is closed. The last of these is open until it has ended, however it does.
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    env: process.env,
  });
  atEnd(() => void (child.exitCode === null && child.kill('SIGKILL')));
  let screen = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const held = child.stdio[3] as Readable;
  const gone = new Promise<void>((resolve) => held.resume().once('end', () => resolve()));
  return {
    screen: () => screen,
    gone,
    close() {
      child.kill('SIGKILL');
      return closed;
    },
  };
}
