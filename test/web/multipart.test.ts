import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import { FormFault, type FormFile, readForm } from '../../src/web/uploads/multipart.ts';
import { receiveUpload } from '../../src/web/uploads/receive-file.ts';
import { temporaryFolder } from '../support/payrun.ts';

const TYPE = 'multipart/form-data; boundary=XX';
const START =
  '--XX\r\nContent-Disposition: form-data; name="job"\r\n\r\npay\r\n--XX\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';
const END = '\r\n--XX--\r\n';

/** What is near to a boundary, in any order. */
const content = fc
  .array(fc.constantFrom('\r', '\n', '-', '--', 'X', 'XX', '\r\n--X', '\r\n--', 'name,amount', '\0', 'é'), {
    maxLength: 30,
  })
  .map((pieces) => Buffer.from(pieces.join('')))
  .filter((bytes) => !`\r\n${bytes}`.includes('\r\n--XX'));
/** Where the network cuts what is sent. */
const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 });

async function* cut(bytes: Buffer, pieces: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, nth = 0; at < bytes.length; nth++) {
    const length = pieces[nth % pieces.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function received(root: string, bytes: Buffer, pieces: readonly number[]) {
  const folder = mkdtempSync(join(root, 'upload-'));
  const answer = await receiveUpload({ body: cut(bytes, pieces), contentType: TYPE, clock: machineClock }, folder);
  return { answer, folder };
}

test('a file arrives byte for byte, whatever stands in it and wherever the network cuts it', () => {
  const root = temporaryFolder();
  return fc.assert(
    fc.asyncProperty(content, lengths, async (bytes, pieces) => {
      const { answer, folder } = await received(
        root,
        Buffer.concat([Buffer.from(START), bytes, Buffer.from(END)]),
        pieces,
      );
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(answer).toEqual({
        file: { name: 'a.csv', kind: '.csv', bytes: bytes.length, sha256 },
        fields: new Map([['job', 'pay']]),
      });
      expect(readFileSync(join(folder, 'input.csv'))).toEqual(bytes);
    }),
    { numRuns: 100 },
  );
});

test('a form that ends too early is never taken for whole, and leaves no file', () => {
  const root = temporaryFolder();
  return fc.assert(
    fc.asyncProperty(content, lengths, fc.double({ min: 0, max: 1, noNaN: true }), async (bytes, pieces, part) => {
      const whole = Buffer.concat([Buffer.from(START), bytes, Buffer.from(END)]);
      // Its last line break may be missing.
      const { answer, folder } = await received(root, whole.subarray(0, Math.floor((whole.length - 3) * part)), pieces);
      expect(answer).toMatchObject({ file: { status: 400 } });
      expect(readdirSync(folder)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('a form that is cut off at any of its bytes is said to be cut off, however slowly its file is taken', async () => {
  const whole = Buffer.from(`${START}name,amount\r\nAda,1\r\n${END}`);
  for (let length = 0; length < whole.length - 3; length++)
    for (const pieces of [[1], [7], [whole.length], [length, 1]].map((all) => all.filter((piece) => piece > 0)))
      for (const turns of [0, 3]) {
        const reader = {
          field: () => {},
          file: async ({ content }: FormFile) => {
            for await (const _ of content) for (let turn = 0; turn < turns; turn++) await setImmediate();
          },
        };
        const reading = readForm(cut(whole.subarray(0, length), pieces), TYPE, reader);
        await expect(reading, `${length} bytes in pieces of ${pieces}, ${turns}`).rejects.toBeInstanceOf(FormFault);
      }
});

test('a disk that is full is said as it is, and not as a form that was cut off', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const reader = {
    field: () => {},
    file: async ({ content }: FormFile) => {
      for await (const _ of content) throw full;
    },
  };
  await expect(readForm(cut(Buffer.from(`${START}a${END}`), [20]), TYPE, reader)).rejects.toBe(full);
});

test('bytes that are no form come to an end too, with a file or without one', () => {
  const root = temporaryFolder();
  return fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.constantFrom(START, END, '--XX', '--XX--', '\r\n', '\r\n\r\n', 'Content-Disposition: form-data; name='),
          fc.string(),
        ),
      ),
      lengths,
      async (texts, pieces) => {
        const { answer, folder } = await received(root, Buffer.from(texts.join('')), pieces);
        expect(readdirSync(folder)).toEqual('sha256' in answer.file ? ['input.csv'] : []);
      },
    ),
    { numRuns: 200 },
  );
});
