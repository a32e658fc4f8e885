import { Buffer } from 'node:buffer';
import process from 'node:process';
import { passphraseIn, passphraseOf } from '../../compose/unlock-key.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ReasonOf } from '../../domain/refusals/reason.ts';
import type { Io } from '../terminal.ts';
import { askHidden } from './hidden-question.ts';

/** Fewer letters than these can be guessed by anybody who gets hold of the file. */
const LETTERS_MIN = 10;

/** As many as a passphrase file may have. */
const BYTES_MAX = 16 * 1024;

type Given = { passphraseFile?: string | undefined };

/**
 * The passphrase of a key file: the text of the file that is named, or what a person types without an echo. Throws a
 * `Refusal` (`passphrase_unusable`) where there is neither, or a `KeyFileError`.
 */
export async function askPassphrase(path: string, { passphraseFile }: Given, io: Io): Promise<string> {
  if (passphraseFile !== undefined) return passphraseHere(passphraseFile, io);
  if (!io.isInteractive) throw unusable('no_terminal');
  const typed = await askHidden(`Passphrase of ${path}: `);
  if (typed === null || typed === '') throw unusable('none');
  return typed;
}

/** The same for a file that is made: asked twice, since what was mistyped can never be known again. */
export async function askNewPassphrase(path: string, { passphraseFile }: Given, io: Io): Promise<string> {
  if (passphraseFile !== undefined) return longEnough(await passphraseHere(passphraseFile, io));
  if (!io.isInteractive) throw unusable('no_terminal');
  const typed = longEnough((await askHidden(`New passphrase of ${path}: `)) ?? '');
  if ((await askHidden('Confirm passphrase: ')) === typed) return typed;
  throw unusable('differ');
}

function longEnough(passphrase: string): string {
  if ([...passphrase].length >= LETTERS_MIN) return passphrase;
  throw new Refusal({ code: 'passphrase_too_short', lettersMin: LETTERS_MIN });
}

async function passphraseHere(file: string, io: Io): Promise<string> {
  return file === '-' ? passphraseOf(await standardInput(io), file) : passphraseIn(file);
}

/** To its end, for a program that gives the passphrase and keeps it in no file. */
async function standardInput(io: Io): Promise<Buffer> {
  if (io.isInteractive) throw unusable('is_terminal');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += chunk.length;
    if (size > BYTES_MAX) throw unusable('too_long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unusable(why: ReasonOf<'passphrase_unusable'>['why']): Refusal {
  return new Refusal({ code: 'passphrase_unusable', why });
}
