import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { generatePayroll } from '../support/generate-payroll.ts';
import { type Measured, measure, median } from './measure.ts';
import { withPeer } from './peer-process.ts';

type Begun = { wallMs: number; cpuMs: number; peakBytes: number };

/**
 * Time from `payrun resume` to its first request, for a run killed after its first payouts, and the time to read its
 * entries.
 */
export async function benchResume(folder: string, payrun: string, rows: number, rounds: number): Promise<string[]> {
  const path = join(folder, `resume-${rows}.csv`);
  const data = join(folder, 'resume-data');
  await generatePayroll({ rows, path, seed: 4, mode: 'existing_accounts' });
  const keyFile = join(folder, 'resume-key.pem');
  await measure([payrun, 'keys', 'new', keyFile]);
  const where = ['--data-dir', data, '--report-dir', join(data, 'reports'), '--quiet'];
  const pace = ['--rate', '0', '--concurrency', '64'];
  return withPeer(async (peer) => {
    const service = ['--base-url', `http://127.0.0.1:${peer.port}`, '--api-key', 'key', '--signing-key', keyFile];
    await until(peer.transfers, [payrun, 'run', path, '--yes', ...service, ...pace, ...where]);
    const { stdout } = await measure([payrun, 'runs', '--json', '--data-dir', data], { peak: false });
    const [run] = JSON.parse(stdout).runs;
    const floor: Measured[] = [];
    const resumed: Begun[] = [];
    for (let round = 0; round < rounds; round++) {
      floor.push(
        await measure([fileURLToPath(new URL('./read-entries.ts', import.meta.url)), join(data, 'journal.db')]),
      );
      resumed.push(await until(peer.requests, [payrun, 'resume', run.run_id, ...where]));
    }
    const of = (runs: Begun[], member: keyof Begun) => median(runs.map((one) => one[member]));
    const line = (name: string, runs: Begun[]) =>
      `  ${name.padEnd(32)} ${(of(runs, 'wallMs') / 1_000).toFixed(2)} s, ${(of(runs, 'cpuMs') / 1_000).toFixed(2)} s of processor, ${Math.round(of(runs, 'peakBytes') / 2 ** 20)} MiB`;
    return [
      `resume, a run of ${rows.toLocaleString('en')} rows, from the process's start to the first request`,
      line('reading its entries', floor),
      line('payrun resume', resumed),
      `  ratio of processor time          ${(of(resumed, 'cpuMs') / of(floor, 'cpuMs')).toFixed(2)}  (aim 1.5, 240 MiB)`,
    ];
  });
}

/** Runs the command until the count grows, then kills it. */
async function until(count: () => Promise<number>, args: string[]): Promise<Begun> {
  const before = await count();
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const gone = once(child, 'exit');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  while ((await count()) === before) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} exited ${child.exitCode}\n${stderr}`);
  }
  const begun = { wallMs: performance.now() - startedMs, ...usedBy(child) };
  child.kill('SIGKILL');
  await gone;
  return begun;
}

/** From Linux's /proc; the process must be alive. */
function usedBy({ pid }: ChildProcess): Omit<Begun, 'wallMs'> {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return { cpuMs: (user + system) * 10, peakBytes: Number(peak) * 1_024 };
}
