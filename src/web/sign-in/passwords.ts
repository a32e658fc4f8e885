import { Buffer } from 'node:buffer';
import { argon2, timingSafeEqual } from 'node:crypto';
import PQueue from 'p-queue';
import { Refusal } from '../../domain/refusal.ts';
import { t } from '../../messages/translate.ts';
import type { Randomness } from '../../platform/clock.ts';

/** How much work it is to try one password. */
export type PasswordWork = { memoryKib: number; passes: number };

/** Argon2id (RFC 9106) with 64 MiB, three passes and one lane: its second recommended setting, with one lane for all machines. */
const PASSWORD_WORK: PasswordWork = { memoryKib: 65_536, passes: 3 };
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

export const PASSWORD_MIN = 12;
/** A longer one is no stronger, and only costs time. */
const PASSWORD_MAX = 256;

/** Each takes 64 MiB: so many at once, and so many that wait. */
const AT_ONCE = 2;
const WAITING_MAX = 32;

/** Argon2id of passwords, few at once. `hashed` counts how often it was worked out, for the tests. */
export class Passwords {
  readonly #randomness: Randomness;
  readonly #work: PasswordWork;
  /** What nobody's password is checked against, so that a name which is not there costs the same work. */
  readonly #nobody: string;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  hashed = 0;

  constructor(randomness: Randomness, work: PasswordWork = PASSWORD_WORK) {
    this.#randomness = randomness;
    this.#work = work;
    this.#nobody = keptText(work, Buffer.alloc(SALT_BYTES, 7), Buffer.alloc(TAG_BYTES));
  }

  /** What is kept of a password: its parameters, its salt and its hash. */
  async keep(password: string): Promise<string> {
    const salt = Buffer.from(this.#randomness.bytes(SALT_BYTES));
    return keptText(this.#work, salt, await this.#tag(password, salt, this.#work));
  }

  /** Whether it is the password that was kept. Null (nobody's) costs the same work, and is never right. */
  async isRight(password: string, kept: string | null): Promise<boolean> {
    const { work, salt, tag } = partsOf(kept ?? this.#nobody);
    const worked = await this.#tag(password, salt, work);
    return timingSafeEqual(worked, tag) && kept !== null;
  }

  newSalt(): string {
    return Buffer.from(this.#randomness.bytes(SALT_BYTES)).toString('base64url');
  }

  /** The passphrase of a person's key file: with the disk alone, and without the password, nobody has it. */
  async passphrase(password: string, salt: string): Promise<string> {
    const tag = await this.#tag(password, Buffer.from(salt, 'base64url'), this.#work);
    return tag.toString('base64url');
  }

  async #tag(password: string, salt: Buffer, { memoryKib, passes }: PasswordWork): Promise<Buffer> {
    if (this.#queue.size >= WAITING_MAX) throw new Refusal({ code: 'sign_in_busy' });
    this.hashed += 1;
    const message = password.normalize('NFKC');
    const parameters = { message, nonce: salt, memory: memoryKib, passes, parallelism: LANES, tagLength: TAG_BYTES };
    return this.#queue.add(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(Buffer.from(tag))));
        }),
    );
  }
}

/** What is wrong with a new password, in words; null where nothing is. */
export function passwordFault(password: string, name: string): string | null {
  const letters = [...password].length;
  if (letters < PASSWORD_MIN)
    return t`Use at least ${PASSWORD_MIN} characters. Four unrelated words work well and are easy to remember.`;
  if (letters > PASSWORD_MAX) return t`Take at most ${PASSWORD_MAX} characters.`;
  if (new Set(password.normalize('NFKC').toLowerCase()).size < 5) return t`Use a greater variety of characters.`;
  if (name !== '' && password.toLowerCase().includes(name.toLowerCase()))
    return t`Your name is too easy to guess: leave it out.`;
  return null;
}

function keptText({ memoryKib, passes }: PasswordWork, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${LANES}$${salt.toString('base64url')}$${tag.toString('base64url')}`;
}

function partsOf(kept: string): { work: PasswordWork; salt: Buffer; tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w-]+)\$([\w-]+)$/.exec(kept);
  if (match === null) throw new Error('a kept password cannot be read');
  const [, memoryKib, passes, salt = '', tag = ''] = match;
  return {
    work: { memoryKib: Number(memoryKib), passes: Number(passes) },
    salt: Buffer.from(salt, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
  };
}
