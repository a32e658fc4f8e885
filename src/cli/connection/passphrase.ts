import { Buffer } from 'node:buffer';
import process from 'node:process';
import { passphraseIn, passphraseOf } from '../../compose/unlock-key.ts';
import { Refusal } from '../../domain/refusal.ts';
import { KeyFileError } from '../../keys/key-file.ts';
import type { Io } from '../terminal.ts';
import { askHidden } from './hidden-question.ts';

/** Fewer letters than these can be guessed by whoever gets hold of the file. */
const PASSPHRASE_MIN = 10;

/** As many as a passphrase file may have. */
const PASSPHRASE_BYTES_MAX = 16 * 1024;

type Given = { passphraseFile?: string | undefined };

/**
 * The passphrase of a key file: the text of the file that is named, or what a person types without an echo. Throws a
 * `Refusal` (`refused`) where there is neither, or a `KeyFileError`.
 */
export async function askPassphrase(path: string, { passphraseFile }: Given, io: Io): Promise<string> {
  if (passphraseFile !== undefined) return passphraseHere(passphraseFile, io);
  requireTerminal(io);
  const typed = await askHidden(`Passphrase of ${path}: `);
  if (typed === null || typed === '')
    throw new Refusal('refused', 'No passphrase was given.', 'Type it, or name a file.');
  return typed;
}

/** The same for a file that is made: asked twice, since what was mistyped can never be known again. */
export async function askNewPassphrase(path: string, { passphraseFile }: Given, io: Io): Promise<string> {
  if (passphraseFile !== undefined) return longEnough(await passphraseHere(passphraseFile, io));
  requireTerminal(io);
  const typed = longEnough((await askHidden(`New passphrase of ${path}: `)) ?? '');
  if ((await askHidden('Confirm passphrase: ')) === typed) return typed;
  throw new Refusal('refused', 'The two passphrases differ. Nothing was made.', 'Run it again.');
}

function longEnough(passphrase: string): string {
  if ([...passphrase].length >= PASSPHRASE_MIN) return passphrase;
  throw new Refusal(
    'refused',
    `The passphrase has fewer than ${PASSPHRASE_MIN} letters. Nothing was made.`,
    'Take four or five words that nobody would put together.',
  );
}

async function passphraseHere(file: string, io: Io): Promise<string> {
  return file === '-' ? passphraseOf(await standardInput(io), file) : passphraseIn(file);
}

/** To its end, for a program that gives the passphrase and keeps it in no file. */
async function standardInput(io: Io): Promise<Buffer> {
  if (io.isInteractive)
    throw new Refusal(
      'usage',
      '--passphrase-file - reads what another program gives, and here is a terminal.',
      'Leave --passphrase-file out: you are asked, and what you type is not shown.',
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += chunk.length;
    if (size > PASSPHRASE_BYTES_MAX)
      throw new KeyFileError('TOO_LARGE', '-', 'has too many bytes for one', 'check what is given', 'passphrase file');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function requireTerminal(io: Io): void {
  if (io.isInteractive) return;
  throw new Refusal(
    'refused',
    'The passphrase of the key cannot be asked for without a terminal.',
    'Name a file of mode 0600 that holds it: --passphrase-file FILE.',
  );
}
