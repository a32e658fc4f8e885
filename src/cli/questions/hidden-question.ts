import type { Buffer } from 'node:buffer';
import process from 'node:process';
import { StringDecoder } from 'node:string_decoder';

/** The side of a terminal that is typed at. */
type Keyboard = {
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data' | 'end', listener: (data: Buffer) => void): unknown;
  off(event: 'data' | 'end', listener: (data: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
};

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ENDS = new Set(['\r', '\n', CTRL_C, CTRL_D]);
const CTRL_U = '\u0015';
const ERASE = new Set(['\u0008', '\u007f']);

/**
 * One line that is typed at the terminal and not shown there. Null where the input ended. Ctrl-C interrupts the process, as
 * it does anywhere else.
 */
export function askHidden(
  question: string,
  keyboard: Keyboard = process.stdin,
  screen: { write(text: string): unknown } = process.stderr,
  interrupt = interruptSelf,
): Promise<string | null> {
  // First, so that nothing is shown of what is typed before the question is read.
  keyboard.setRawMode(true);
  screen.write(question);
  const decoder = new StringDecoder('utf8');
  return new Promise((resolve) => {
    let typed: string[] = [];
    const finish = (answer: string | null): void => {
      keyboard.off('data', onData);
      keyboard.off('end', onEnd);
      keyboard.setRawMode(false);
      keyboard.pause();
      screen.write('\n');
      resolve(answer);
    };
    const onEnd = (): void => finish(null);
    const onData = (data: Buffer): void => {
      for (const key of decoder.write(data)) {
        if (key === CTRL_U) typed = [];
        else if (ERASE.has(key)) typed.pop();
        else if (!ENDS.has(key)) typed.push(key);
        else {
          finish(key === CTRL_C || (key === CTRL_D && typed.length === 0) ? null : typed.join(''));
          if (key === CTRL_C) interrupt();
          return;
        }
      }
    };
    keyboard.on('data', onData);
    keyboard.on('end', onEnd);
    keyboard.resume();
  });
}

function interruptSelf(): void {
  process.kill(process.pid, 'SIGINT');
}
