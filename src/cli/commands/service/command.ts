import type { Options } from 'yargs';
import type { Command, Given } from '../../command.ts';
import { DATA, flag, LOG, required, text } from '../../options.ts';

/** How a command finds the service that is running. */
const RUNNING = {
  'data-dir': text('the data directory of the running service (default .payrun)'),
  'admin-url': text('its admin port, on loopback (default: found by the directory)'),
  json: flag('JSON in one line'),
};

const admin: Command = {
  command: 'admin [operation]',
  describe: 'an operation of the admin port, with key=value … or a JSON object; without one they are listed',
  options: RUNNING,
  positionals: { operation: text('such as clock.advance') },
  // The words after it are its body. As a positional of its own yargs would keep the last one only.
  takesMoreWords: true,
  examples: [
    ['service admin', 'every operation with an example'],
    ['service admin clock.advance ms=86400000', 'a day passes'],
    ['service admin balance.set \'{"code":"GBP","value":"0"}\'', 'the same with JSON'],
  ],
  work: () => import('./admin.ts'),
};

const verify: Command = {
  command: 'verify',
  describe: "recompute the shipped service's books; also while it runs",
  options: {
    'data-dir': text('the data directory (default .payrun)'),
    json: flag('one JSON object on standard output, nothing else'),
  },
  examples: [['service verify --data-dir .payrun', 'every balance from its postings']],
  work: () => import('./verify.ts'),
};

/** A command that is one operation of the admin port. `body`: that of the operation. */
type WebhookCommand = Pick<Command, 'command' | 'describe' | 'options' | 'positionals'> & {
  example: readonly [words: string, what: string];
  body?(options: Given): Given;
};

const BY_ID = { positionals: { id: required('from `webhook list`') }, body: ({ id }: Given) => ({ id }) };

const WEBHOOK_COMMANDS: readonly WebhookCommand[] = [
  {
    command: 'add <url>',
    describe: 'send every change of a status there',
    example: ['add http://127.0.0.1:9000/hook', ''],
    positionals: { url: required('https; http on loopback') },
    options: { secret: text('whsec_…, or nothing to have one made: signs by v1 too') },
    body: ({ url, secret }) => ({ url, secret: secret === '' ? true : secret }),
  },
  {
    command: 'list',
    describe: 'endpoints, and the public key of their signatures',
    example: ['list', 'all of them'],
  },
  {
    command: 'remove <id>',
    describe: 'stop sending there',
    example: ['remove whe_01jd2x3v9qk7m5p0h8rc', ''],
    ...BY_ID,
  },
  {
    command: 'enable <id>',
    describe: 'turn one back on',
    example: ['enable whe_01jd2x3v9qk7m5p0h8rc', 'after a 410'],
    ...BY_ID,
  },
  {
    command: 'deliveries',
    describe: 'the newest deliveries, and what became of them',
    example: ['deliveries --limit 20', ''],
    options: { limit: text('at most so many (default 50)') },
    body: ({ limit }) => ({ limit: limit === undefined ? undefined : Number(limit) }),
  },
  {
    command: 'replay',
    describe: 'resend earlier deliveries',
    example: ['replay --all-failed', 'what did not arrive'],
    options: {
      event: text('the webhook-id of one event'),
      transaction: text('all events of one transaction'),
      'all-failed': flag('every delivery that was given up'),
    },
    body: ({ event, transaction, allFailed }) => ({
      event_id: event,
      transaction_id: transaction,
      all_failed: allFailed === true ? true : undefined,
    }),
  },
];

function webhookCommand({ example, options, body = () => ({}), ...declared }: WebhookCommand): Command {
  const [words, what] = example;
  const name = declared.command.split(' ')[0] ?? '';
  return {
    ...declared,
    options: { ...RUNNING, ...options },
    examples: [[`service webhook ${words}`, what]],
    async work() {
      const { perform, webhookOutput } = await import('./admin.ts');
      return { run: (given) => perform(given, `webhook.${name}`, body(given)), output: webhookOutput(name) };
    },
  };
}

const webhook: Command = {
  command: 'webhook',
  describe: 'where the running service sends its webhooks',
  below: WEBHOOK_COMMANDS.map(webhookCommand),
  demand: 'Give one of: add, list, remove, enable, deliveries, replay.',
  examples: [['service webhook add http://127.0.0.1:9000/hook', 'send every change of a status there']],
  work: null,
};

const OWN: Readonly<Record<string, Options>> = {
  ...DATA,
  ...LOG,
  port: text('public port on loopback (default 8790; 0 for any)'),
  'admin-port': text('admin port on loopback (default 8791; 0 for any)'),
  'rate-limit': text('requests in 10 s and key (default 100; 0 for no limit)'),
  'settle-after': text('settle every payout after this time, as in 2s or 1h (default: by rail)'),
  webhook: text('send every change of a status to this URL; more by `service webhook add`'),
  'allow-private-webhooks': flag('webhooks may go to loopback and private networks'),
};

export const service: Command = {
  command: 'service',
  describe: 'the payment service that payrun ships, on its own',
  // Of the service itself, and not of the commands below it.
  options: Object.fromEntries(Object.entries(OWN).map(([name, option]) => [name, { ...option, global: false }])),
  below: [admin, verify, webhook],
  examples: [
    ['service --port 8790 --json', 'one line of JSON when it listens'],
    ['service admin', 'what can be done to the running service'],
  ],
  work: () => import('./run.ts'),
};
