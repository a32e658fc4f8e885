import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Loaded before a process by NODE_OPTIONS=--import: its wall clock is off by the milliseconds that stand in the file
 * CLOCK_OFFSET_FILE, read anew each time, as when somebody sets the machine's clock. Its children keep the real one.
 */
const realNow = Date.now.bind(Date);
Date.now = () => {
  const file = process.env.CLOCK_OFFSET_FILE ?? '';
  return realNow() + (file === '' ? 0 : Number(readFileSync(file, 'utf8')));
};
delete process.env.NODE_OPTIONS;
