import { existsSync, writeSync } from 'node:fs';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';

// Loaded before the program (`--import`): the process stands still before the transaction of the number TEST_HELD_BEGIN,
// says so, and goes on when there is a file TEST_HELD_UNTIL.
const nth = Number(process.env.TEST_HELD_BEGIN);
const until = process.env.TEST_HELD_UNTIL ?? '';
const exec = DatabaseSync.prototype.exec;
let begun = 0;

DatabaseSync.prototype.exec = function (sql) {
  if (sql === 'BEGIN IMMEDIATE' && ++begun === nth) {
    writeSync(2, 'held before it begins\n');
    while (!existsSync(until)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  exec.call(this, sql);
};
