import { spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import process from 'node:process';
import { withNodeOptions } from '../../own-program.ts';
import { CONVERSION_FAULTS, type ConversionFault, FIRST_FAULT_EXIT, type ForeignKind, type Limits } from './kinds.ts';

/** A spreadsheet of the largest size that payrun reads takes a third of each. */
const LIMITS: Limits = { memoryMb: 1_536, timeMs: 120_000 };

/** Larger files are not converted: a full sheet of the old kind, of 65,536 rows, has a third of it. */
export const CONVERTED_BYTES_MAX = 64 * 1024 * 1024;

/** What the process may not do, whatever a file makes it do: write files, or start programs. */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-worker'];

/** The process starts with nothing of this one's environment. It ends itself at its limits, and is ended a little later. */
const GRACE_MS = 5_000;

const STDERR_MAX = 8_192;

const PROCESS = join(import.meta.dirname, `convert-process${extname(import.meta.filename)}`);

/**
 * A foreign spreadsheet as an XLSX workbook of one sheet for each of its sheets or tables, made in a process with limits:
 * values, number formats, hidden rows, columns and sheets, merged cells. Web pages are given in UTF-8. Rejects
 * where no process can be started, and at a bug.
 */
export async function toXlsx(
  kind: ForeignKind,
  bytes: Uint8Array,
  limits = LIMITS,
): Promise<{ ok: true; bytes: Buffer } | { ok: false; code: ConversionFault }> {
  if (bytes.length > CONVERTED_BYTES_MAX) return { ok: false, code: 'spreadsheet_too_large' };
  const { memoryMb, timeMs } = limits;
  const { execArgv, env } = withNodeOptions([...PERMISSIONS, `--max-old-space-size=${memoryMb}`], {});
  const child = spawn(process.execPath, [...execArgv, PROCESS, kind, JSON.stringify(limits)], {
    env,
    stdio: 'pipe',
    timeout: timeMs + GRACE_MS,
    killSignal: 'SIGKILL',
  });
  const written: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => written.push(chunk));
  let trouble = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    trouble = `${trouble}${text}`.slice(-STDERR_MAX);
  });
  // One that ends before it has read all says why by its exit code.
  child.stdin.on('error', () => {}).end(bytes);
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (exit === 0) return { ok: true, bytes: Buffer.concat(written) };
  if (exit === 1) throw new Error(`a conversion met a bug: ${trouble}`);
  // Without a code of ours, it was ended by a signal, or by V8 where its memory was full.
  return { ok: false, code: CONVERSION_FAULTS[(exit ?? 0) - FIRST_FAULT_EXIT] ?? 'spreadsheet_too_large' };
}
