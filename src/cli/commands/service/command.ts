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

type Options = Record<string, unknown>;

/** A command that is one operation of the admin port. */
type WebhookCommand = {
  command: string;
  describe: string;
  example: readonly [string, string];
  builder?(argv: Argv): Argv;
  /** The body of the operation. */
  body?(options: Options): Options;
};

const BY_ID = {
  builder: (argv: Argv) =>
    argv.positional('id', { type: 'string', demandOption: true, describe: 'from `webhook list`' }),
  body: ({ id }: Options) => ({ id }),
};

const WEBHOOK_COMMANDS: readonly WebhookCommand[] = [
  {
    command: 'add <url>',
    describe: 'send every change of a status there',
    example: ['add http://127.0.0.1:9000/hook', ''],
    builder: (argv) =>
      argv
        .positional('url', { type: 'string', demandOption: true, describe: 'https; http on loopback' })
        .option('secret', { type: 'string', describe: 'whsec_…, or nothing to have one made: signs by v1 too' }),
    body: ({ url, secret }) => ({ url, secret: secret === '' ? true : secret }),
  },
  {
    command: 'list',
    describe: 'endpoints, and the public key of their signatures',
    example: ['list', 'all of them'],
  },
  {
    command: 'remove <id>',
    describe: 'send nothing more there',
    example: ['remove whe_01jd2x3v9qk7m5p0h8rc', ''],
    ...BY_ID,
  },
  {
    command: 'enable <id>',
    describe: 'switch one on again',
    example: ['enable whe_01jd2x3v9qk7m5p0h8rc', 'after a 410'],
    ...BY_ID,
  },
  {
    command: 'deliveries',
    describe: 'the newest deliveries, and what became of them',
    example: ['deliveries --limit 20', ''],
    builder: (argv) => argv.option('limit', { type: 'string', describe: 'at most so many (default 50)' }),
    body: ({ limit }) => ({ limit: limit === undefined ? undefined : Number(limit) }),
  },
  {
    command: 'replay',
    describe: 'send again what was sent before',
    example: ['replay --all-failed', 'what did not arrive'],
    builder: (argv) =>
      argv
        .option('event', { type: 'string', describe: 'the webhook-id of one event' })
        .option('transaction', { type: 'string', describe: 'all events of one transaction' })
        .option('all-failed', { type: 'boolean', describe: 'every delivery that was given up' }),
    body: ({ event, transaction, allFailed }) => ({
      event_id: event,
      transaction_id: transaction,
      all_failed: allFailed === true ? true : undefined,
    }),
  },
];

function webhookCommand({ command, describe, example, builder, body }: WebhookCommand): CommandModule {
  const [words, what] = example;
  return {
    command,
    describe,
    builder: (argv) => (builder ?? ((same) => same))(runningOptions(argv)).example(`$0 service webhook ${words}`, what),
    handler: async (options) => {
      const { perform } = await import('./admin.ts');
      await perform(options, `webhook.${command.split(' ')[0]}`, body?.(options) ?? {});
    },
  };
}

const webhook: CommandModule = {
  command: 'webhook',
  describe: 'where the running service sends its webhooks',
  builder: (argv) =>
    argv
      .command(WEBHOOK_COMMANDS.map(webhookCommand))
      .demandCommand(1, 'Give one of: add, list, remove, enable, deliveries, replay.')
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
