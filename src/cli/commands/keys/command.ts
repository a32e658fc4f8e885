import type { Argv, CommandModule } from 'yargs';

function keyOptions(argv: Argv) {
  return argv
    .positional('file', { type: 'string', describe: 'the key file (default: keys/signing.pem in the data directory)' })
    .option('data-dir', { type: 'string', describe: 'journal, keys, logs and rehearsal service (default .payrun)' })
    .option('passphrase-file', {
      type: 'string',
      nargs: 1,
      describe: 'a file of mode 0600 with the passphrase, or - for standard input (default: asked)',
    })
    .option('json', { type: 'boolean', describe: 'one JSON object on standard output' });
}

const makeKey: CommandModule = {
  command: 'new [file]',
  describe: 'make a private key file (Ed25519, PKCS#8 PEM, mode 0600); never overwrites one',
  builder: (argv) =>
    keyOptions(argv)
      .option('approver', {
        type: 'boolean',
        describe: 'a key to approve plans with, encrypted with a passphrase (age)',
      })
      .example('$0 keys new keys/payouts.pem', 'then register the public key it prints')
      .example('$0 keys new --approver anna.age', 'then put the line that it prints into the job'),
  handler: async (options) => {
    const { newKey } = await import('./run.ts');
    await newKey(options);
  },
};

const showKey: CommandModule = {
  command: 'show [file]',
  describe: 'the public half of a key file',
  builder: (argv) => keyOptions(argv).example('$0 keys show keys/payouts.pem', 'what the service needs to know'),
  handler: async (options) => {
    const { showKey } = await import('./run.ts');
    await showKey(options);
  },
};

export const keys: CommandModule = {
  command: 'keys',
  describe: 'make or show a signing key, or the key of an approver',
  builder: (argv) =>
    argv
      .command([makeKey, showKey])
      .demandCommand(1, 'Say which: `keys new` or `keys show`.')
      .example('$0 keys new keys/payouts.pem', 'make a signing key'),
  handler: () => {},
};
