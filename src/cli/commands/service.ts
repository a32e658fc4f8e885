import type { CommandModule } from 'yargs';
import { dataOptions } from '../options.ts';

export const service: CommandModule = {
  command: 'service',
  describe: 'the payment service that payrun ships, on its own',
  builder: (argv) =>
    dataOptions(argv)
      .option('port', { type: 'string', describe: 'public port on loopback (default 8790; 0 for any)' })
      .option('admin-port', { type: 'string', describe: 'admin port on loopback (default 8791; 0 for any)' })
      .option('rate-limit', { type: 'string', describe: 'requests in 10 s and key (default 100; 0 for no limit)' })
      .option('settle-after', { type: 'string', describe: 'settle every payout after this time (default: by rail)' })
      .example('$0 service --port 8790 --json', 'one line of JSON when it listens'),
  handler: async (options) => {
    const { runService } = await import('./service-command.ts');
    await runService(options);
  },
};
