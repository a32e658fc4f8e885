import { Refusal } from '../../src/domain/refusal.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { type RefusalText, refusalText } from '../../src/messages/refusals/refusal.ts';

/** A refusal in the words of a command line in the default data directory; any other error is thrown. */
export function refusedText(error: unknown): RefusalText {
  if (!(error instanceof Refusal)) throw error;
  return refusalText(error, { command: plainCommand, near: (file) => file });
}

/** The words of the refusal that the work ends with. */
export async function refusedBy(work: Promise<unknown>): Promise<RefusalText> {
  return work.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => refusedText(error),
  );
}

/** What the refusal says that the work ends with. */
export function refusedWith(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return refusedText(error).message;
  }
  throw new Error('it was not refused');
}
