import type { Command } from '../../command.ts';
import { flag, PASSPHRASE_FILE, text } from '../../options.ts';

const OF_BOTH = {
  'data-dir': text('journal, keys, logs and rehearsal service (default .payrun)'),
  ...PASSPHRASE_FILE,
  json: flag('one JSON object on standard output'),
};
const FILE = { file: text('the key file (default: keys/signing.pem in the data directory)') };

const makeKey: Command = {
  command: 'new [file]',
  describe: 'create a private key file (Ed25519, PKCS#8 PEM, mode 0600); never overwrites one',
  options: { ...OF_BOTH, approver: flag('a key to approve plans with, encrypted with a passphrase (age)') },
  positionals: FILE,
  examples: [
    ['keys new keys/payouts.pem', 'then register the public key it prints'],
    ['keys new --approver anna.age', 'then put the line that it prints into the job'],
  ],
  work: async () => {
    const { newKey, output } = await import('./run.ts');
    return { run: newKey, output };
  },
};

const showKey: Command = {
  command: 'show [file]',
  describe: 'the public half of a key file',
  options: OF_BOTH,
  positionals: FILE,
  examples: [['keys show keys/payouts.pem', 'what the service needs']],
  work: async () => {
    const { showKey, output } = await import('./run.ts');
    return { run: showKey, output };
  },
};

export const keys: Command = {
  command: 'keys',
  describe: "create or show a signing key or an approver's key",
  below: [makeKey, showKey],
  demand: 'Give one of: `keys new`, `keys show`.',
  examples: [['keys new keys/payouts.pem', 'create a signing key']],
  work: null,
};
