import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** `cpuMs`: on all cores, which other work on the machine changes less than the wall time. */
export type Measured = { wallMs: number; cpuMs: number; peakBytes: number; stdout: string };

const PEAK_HOOK = fileURLToPath(new URL('./peak.ts', import.meta.url));

/**
 * What Node compiles is kept from one process to the next. Else each would load what strips types, for the hook alone: 18 MiB,
 * and a tenth of a second.
 */
const COMPILED = mkdtempSync(join(tmpdir(), 'payrun-bench-compiled-'));
process.on('exit', () => rmSync(COMPILED, { recursive: true, force: true }));

/**
 * Runs a Node process to its end: wall time from its start to its exit, processor time, and its peak memory, both 0 where
 * `peak` is false. Throws where it fails.
 */
export async function measure(args: string[], options: { exits?: number[]; peak?: boolean } = {}): Promise<Measured> {
  const peakFile = join(tmpdir(), `payrun-bench-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const wantsPeak = options.peak !== false;
  const startedMs = performance.now();
  const child = spawn(process.execPath, wantsPeak ? ['--import', PEAK_HOOK, ...args] : args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, PAYRUN_BENCH_PEAK: peakFile, NO_COLOR: '1' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const wallMs = performance.now() - startedMs;
  if (!(options.exits ?? [0]).includes(exit ?? -1))
    throw new Error(`${args.join(' ')} exited ${exit}\n${stderr}${stdout}`);
  const cpuFile = `${peakFile}.cpu`;
  const peakBytes = wantsPeak ? Number(readFileSync(peakFile, 'utf8')) : 0;
  const cpuMs = wantsPeak ? Number(readFileSync(cpuFile, 'utf8')) : 0;
  rmSync(peakFile, { force: true });
  rmSync(cpuFile, { force: true });
  return { wallMs, cpuMs, peakBytes, stdout };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
