import process from 'node:process';
import { createInterface } from 'node:readline';

/** The streams of a command, as it sees them. */
export type Io = {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  readonly colour: boolean;
  /** One line from the person, or null where the input ended. */
  ask(question: string): Promise<string | null>;
};

export function processIo(environment: NodeJS.ProcessEnv): Io {
  endQuietlyWithReader();
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    colour: process.stderr.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb',
    ask(question) {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      return new Promise((resolve) => {
        lines.once('close', () => resolve(null));
        lines.question(question, (answer) => {
          resolve(answer);
          lines.close();
        });
      });
    },
  };
}

/** Of a process that nobody watches. */
export const silentIo: Io = {
  stdout: () => {},
  stderr: () => {},
  isInteractive: false,
  colour: false,
  ask: async () => null,
};

let isWatched = false;

/** `payrun show RUN | head`: a reader that has enough closes the pipe. A terminal that was closed takes nothing more. */
function endQuietlyWithReader(): void {
  if (isWatched) return;
  isWatched = true;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}
