import type { CommandModule } from 'yargs';

export const keys: CommandModule = {
  command: 'keys',
  describe: 'make or show a signing key',
  builder: (argv) =>
    argv
      .command({
        command: 'new <file>',
        describe: 'make a private key file (Ed25519, PKCS#8 PEM, mode 0600)',
        builder: (sub) =>
          sub
            .positional('file', { type: 'string', demandOption: true, describe: 'a file that does not exist yet' })
            .option('json', { type: 'boolean', describe: 'one JSON object on standard output' })
            .example('$0 keys new keys/payouts.pem', 'then register the public key it prints'),
        handler: async (options) => {
          const { newKey } = await import('./keys-command.ts');
          newKey(String(options.file), options.json === true);
        },
      })
      .command({
        command: 'show <file>',
        describe: 'the public half of a key file',
        builder: (sub) =>
          sub
            .positional('file', { type: 'string', demandOption: true, describe: 'the key file' })
            .option('json', { type: 'boolean', describe: 'one JSON object on standard output' }),
        handler: async (options) => {
          const { showKey } = await import('./keys-command.ts');
          showKey(String(options.file), options.json === true);
        },
      })
      .demandCommand(1, 'Say which: `keys new` or `keys show`.'),
  handler: () => {},
};
