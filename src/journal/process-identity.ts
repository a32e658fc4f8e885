import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import type { Holder } from './journal.ts';

/** Who this process is, and how it looks at others. Arguments, so that tests can show any machine. */
export type ProcessView = {
  host: string;
  pid: number;
  /** Where the kernel shows processes; on systems without it every read fails and process ids alone decide. */
  procDirectory: string;
  /** Whether a process of this id exists, no matter who owns it. */
  exists(pid: number): boolean;
};

export type ProcessIdentity = Omit<Holder, 'expires_at'>;

const THIS_MACHINE: ProcessView = { host: hostname(), pid: process.pid, procDirectory: '/proc', exists };

/**
 * This process, distinct from every other one on this machine, earlier and later: boot id, process id and start
 * time. The process-id namespace counts as part of the boot: two containers may share a host name and a kernel, and
 * then neither can see whether the other's process 7 runs.
 */
export function identifyProcess(view: ProcessView = THIS_MACHINE): ProcessIdentity {
  return {
    host: view.host,
    boot_id: bootId(view),
    pid: view.pid,
    started: processState(view, view.pid)?.started ?? '',
  };
}

/**
 * Whether the holder's process may still run. False only where it provably does not: same host, same boot, and no
 * process of that id and start time. Everything that cannot be known counts as alive, and the lease has to run out.
 */
export function isProcessAlive(holder: ProcessIdentity, view: ProcessView = THIS_MACHINE): boolean {
  if (holder.host !== view.host || holder.boot_id !== bootId(view)) return true;
  const state = processState(view, holder.pid);
  // No entry may also mean that /proc hides other users' processes, so the kernel is asked in a second way.
  if (state === null) return view.exists(holder.pid);
  // A zombie's memory and threads are gone; only its parent has not noticed.
  return state.started === holder.started && state.letter !== 'Z' && state.letter !== 'X';
}

/** Empty where the system shows none: then a reused process id after a reboot counts as alive, which is the safe side. */
function bootId(view: ProcessView): string {
  try {
    const boot = readFileSync(`${view.procDirectory}/sys/kernel/random/boot_id`, 'utf8').trim();
    return `${boot} ${readlinkSync(`${view.procDirectory}/self/ns/pid`)}`;
  } catch {
    return '';
  }
}

/**
 * State letter and start time (clock ticks since boot) of a process, or null where it is not shown: fields 3 and 22 of
 * proc_pid_stat(5). The command before them may hold blanks and brackets, so counting starts after its last bracket.
 */
function processState(view: ProcessView, pid: number): { letter: string; started: string } | null {
  let stat: string;
  try {
    stat = readFileSync(`${view.procDirectory}/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { letter: fields[0] ?? '', started: fields[19] ?? '' };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
