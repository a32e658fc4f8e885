import { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { askHidden } from '../../src/cli/questions/hidden-question.ts';

/** What is answered, what the terminal showed, and whether the process was interrupted. */
async function typed(...chunks: Uint8Array[]) {
  const modes: boolean[] = [];
  const keyboard = Object.assign(new EventEmitter(), {
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
    resume: () => {},
    pause: () => {},
  });
  let screen = '';
  let interrupts = 0;
  const answer = askHidden('Passphrase: ', keyboard, { write: (text) => (screen += text) }, () => {
    interrupts++;
  });
  for (const chunk of chunks) keyboard.emit('data', Buffer.from(chunk));
  keyboard.emit('end');
  return { answer: await answer, screen, interrupts, modes };
}

const keys = (text: string): Uint8Array => Buffer.from(text, 'utf8');

it.each<[string, Uint8Array[], string | null]>([
  ['a line', [keys('sesame\r')], 'sesame'],
  [
    'letter by letter, a letter in two halves',
    [keys('s\u00e4'), keys('\u00fc').subarray(0, 1), keys('\u00fc').subarray(1), keys('\n')],
    's\u00e4\u00fc',
  ],
  ['with a letter taken back', [keys('ab\u00fc\u007fc\r')], 'abc'],
  ['begun anew', [keys('abc\u0015def\r')], 'def'],
  ['nothing', [keys('\r')], ''],
  ['the end of the input', [], null],
  ['Ctrl-D', [keys('\u0004')], null],
])('reads %s and shows none of it', async (_, chunks, answer) => {
  const result = await typed(...chunks);
  expect(result).toEqual({ answer, screen: 'Passphrase: \n', interrupts: 0, modes: [true, false] });
});

it('is interrupted by Ctrl-C', async () => {
  expect(await typed(keys('ab\u0003'))).toMatchObject({ answer: null, interrupts: 1, modes: [true, false] });
});
