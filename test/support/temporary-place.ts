import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const IN_MEMORY = '/dev/shm';
const GIB = 1_073_741_824;
/** Tests of large files and long runs stand side by side. */
const ROOM_BYTES = 4 * GIB;

const NAME = /^payrun-tests-(\d+)$/;

/**
 * A folder for the temporary files of the tests, which goes with this process: in memory where there is room and programs
 * may run from there, unless TMPDIR names a place. A disk is waited for at each commit of each journal, for longer than
 * most tests calculate. What a killed run left there is removed.
 */
export function temporaryPlace(): string {
  const parent = process.env.TMPDIR ?? (isRoomyMemory() ? IN_MEMORY : tmpdir());
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `payrun-tests-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isRoomyMemory(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).find(([, place]) => place === IN_MEMORY)?.[3];
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mayRun = options !== undefined && !options.split(',').includes('noexec');
    return mayRun && bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
