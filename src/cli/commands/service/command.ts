import type { Argv, CommandModule } from 'yargs';

/** How a command finds the service that is running. */
function runningOptions(argv: Argv) {
  return argv
    .option('data-dir', { type: 'string', describe: 'the data directory of the running service (default .payrun)' })
    .option('admin-url', { type: 'string', describe: 'its admin port, on loopback (default: found by the directory)' })
    .option('json', { type: 'boolean', describe: 'JSON in one line' });
}

const admin: CommandModule = {
  command: 'admin [operation]',
  describe: 'an operation of the admin port, with key=value … or a JSON object; without one they are listed',
  builder: (argv) =>
    runningOptions(argv)
      .positional('operation', { type: 'string', describe: 'such as clock.advance' })
      // The words after it are its body. As a positional of its own yargs would keep the last one only.
      .strict(false)
      .strictOptions()
      .example('$0 service admin', 'every operation with an example')
      .example('$0 service admin clock.advance ms=86400000', 'a day passes')
      .example('$0 service admin balance.set \'{"code":"GBP","value":"0"}\'', 'the same with JSON'),
  handler: async (options) => {
    const { adminCommand } = await import('./admin.ts');
    await adminCommand(options);
  },
};

const verify: CommandModule = {
  command: 'verify',
  describe: "recompute the shipped service's books; also while it runs",
  builder: (argv) =>
    argv
      .option('data-dir', { type: 'string', describe: 'the data directory (default .payrun)' })
      .option('json', { type: 'boolean', describe: 'one JSON object on standard output, nothing else' })
      .example('$0 service verify --data-dir .payrun', 'every balance from its postings'),
  handler: async (options) => {
    const { verifyServiceCommand } = await import('./verify.ts');
    verifyServiceCommand(options);
  },
};

/** A command that is one operation of the admin port. */
function webhookCommand(
  command: string,
  describe: string,
  example: readonly [string, string],
  builder: (argv: Argv) => Argv = (argv) => argv,
): CommandModule {
  return {
    command,
    describe,
    builder: (argv) => builder(runningOptions(argv)).example(`$0 service webhook ${example[0]}`, example[1]),
    handler: async (options) => {
      const { webhookCommand: run } = await import('./admin.ts');
      await run(command.split(' ')[0] ?? '', options);
    },
  };
}

const WEBHOOK_COMMANDS: readonly CommandModule[] = [
  webhookCommand('add <url>', 'send every change of a status there', ['add http://127.0.0.1:9000/hook', ''], (argv) =>
    argv
      .positional('url', { type: 'string', demandOption: true, describe: 'https; http on loopback' })
      .option('secret', { type: 'string', describe: 'whsec_…, or nothing to have one made: signs by v1 too' }),
  ),
  webhookCommand('list', 'endpoints, and the public key of their signatures', ['list', 'all of them']),
  webhookCommand('remove <id>', 'send nothing more there', ['remove whe_01jd2x3v9qk7m5p0h8rc', ''], withId),
  webhookCommand('enable <id>', 'switch one on again', ['enable whe_01jd2x3v9qk7m5p0h8rc', 'after a 410'], withId),
  webhookCommand(
    'deliveries',
    'the newest deliveries, and what became of them',
    ['deliveries --limit 20', ''],
    (argv) => argv.option('limit', { type: 'string', describe: 'at most so many (default 50)' }),
  ),
  webhookCommand('replay', 'send again what was sent before', ['replay --all-failed', 'what did not arrive'], (argv) =>
    argv
      .option('event', { type: 'string', describe: 'the webhook-id of one event' })
      .option('transaction', { type: 'string', describe: 'all events of one transaction' })
      .option('all-failed', { type: 'boolean', describe: 'every delivery that was given up' }),
  ),
];

function withId(argv: Argv): Argv {
  return argv.positional('id', { type: 'string', demandOption: true, describe: 'from `webhook list`' });
}

const webhook: CommandModule = {
  command: 'webhook',
  describe: 'where the running service sends its webhooks',
  builder: (argv) =>
    argv
      .command([...WEBHOOK_COMMANDS])
      .demandCommand(1, 'Say which: add, list, remove, enable, deliveries or replay.')
      .example('$0 service webhook add http://127.0.0.1:9000/hook', 'send every change of a status there'),
  handler: () => {},
};

/** Of the service itself, and not of the commands below it. */
function ownOptions(argv: Argv) {
  const own = (describe: string, type: 'string' | 'boolean' = 'string') => ({ type, describe, global: false }) as const;
  return argv
    .option('data-dir', own('journal, logs and rehearsal service (default .payrun)'))
    .option('json', own('one JSON object on standard output, nothing else', 'boolean'))
    .option('quiet', own('no progress', 'boolean'))
    .option('log-level', own('error, warn, info or debug (default info), to the log file'))
    .option('port', own('public port on loopback (default 8790; 0 for any)'))
    .option('admin-port', own('admin port on loopback (default 8791; 0 for any)'))
    .option('rate-limit', own('requests in 10 s and key (default 100; 0 for no limit)'))
    .option('settle-after', own('settle every payout after this time, as in 2s or 1h (default: by rail)'))
    .option('webhook', own('send every change of a status to this URL; more by `service webhook add`'))
    .option('allow-private-webhooks', own('webhooks may go to loopback and private networks', 'boolean'));
}

export const service: CommandModule = {
  command: 'service',
  describe: 'the payment service that payrun ships, on its own',
  builder: (argv) =>
    ownOptions(argv)
      .command([admin, verify, webhook])
      .example('$0 service --port 8790 --json', 'one line of JSON when it listens')
      .example('$0 service admin', 'what can be done to the one that runs'),
  handler: async (options) => {
    const { runService } = await import('./run.ts');
    await runService(options);
  },
};
