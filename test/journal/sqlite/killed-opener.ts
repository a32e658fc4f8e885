/**
 * `node killed-opener.ts PATH COMMITS`: opens the journal at PATH, and is killed by itself in the middle of its commit number
 * COMMITS, before that is on disk.
 */
import process from 'node:process';
import { openJournal } from '../../../src/journal/sqlite/open.ts';
import { machineRandomness } from '../../../src/platform/machine.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { anotherProcess, ManualClock } from '../place.ts';

const [path = '', commits = ''] = process.argv.slice(2);
let left = Number(commits);

openJournal({
  path,
  clock: new ManualClock(),
  randomness: machineRandomness,
  process: anotherProcess(1),
  isAlive: () => false,
  openDatabase(at) {
    const database = openDatabase(at);
    let isWriting = false;
    return {
      prepare: (sql) => database.prepare(sql),
      close: () => database.close(),
      exec(sql) {
        if (sql === 'BEGIN IMMEDIATE') isWriting = true;
        if (sql === 'COMMIT' && isWriting) {
          isWriting = false;
          if (--left === 0) process.kill(process.pid, 'SIGKILL');
        }
        database.exec(sql);
      },
    };
  },
});
