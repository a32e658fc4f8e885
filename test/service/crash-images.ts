import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { servicePaths } from '../../src/service/store/open.ts';

/** The frames of a write-ahead log, by SQLite's file format, section 4: 32 bytes, then 24 and a page each; if any. */
export function framesOf(log: Buffer): { end: number; isCommit: boolean }[] {
  if (log.length < 32) return [];
  const frameBytes = 24 + log.readUInt32BE(8);
  const count = Math.floor((log.length - 32) / frameBytes);
  return Array.from({ length: count }, (_, at) => {
    const start = 32 + at * frameBytes;
    return { end: start + frameBytes, isCommit: log.readUInt32BE(start + 4) !== 0 };
  });
}

/**
 * Makes in `copy` the data as a process leaves it that dies after `bytes` of the log were written. Right as long as
 * nothing was moved from the log to the database since: that happens after 2,000 pages, and at a stop.
 */
export function leaveAfter(dataDir: string, log: Buffer, bytes: number, copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) });
  writeFileSync(`${servicePaths(copy).database}-wal`, log.subarray(0, bytes));
}
