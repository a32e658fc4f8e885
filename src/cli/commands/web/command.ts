import type { CommandModule } from 'yargs';
import { serviceOptions } from '../../options.ts';

export const web: CommandModule = {
  command: 'web',
  describe: 'the page for finance: upload, check, plan, approve, watch, download',
  builder: (argv) =>
    serviceOptions(argv)
      .option('port', { type: 'string', describe: 'the port it listens on (default 8800; 0 for any free one)' })
      .option('host', {
        type: 'string',
        describe:
          'the name or address it listens on (default this machine alone); others need --tls-cert or --behind-proxy',
      })
      .option('tls-cert', { type: 'string', describe: 'its certificate, with the chain (PEM)' })
      .option('tls-key', { type: 'string', describe: 'the private key of the certificate (PEM, mode 0600)' })
      .option('behind-proxy', {
        type: 'string',
        describe: 'the https origin by which a proxy of yours shows the page (https://pay.example.com)',
      })
      .option('keep-uploads', {
        type: 'string',
        describe: 'how long uploaded files are kept that no plan needs any more (default 7d)',
      })
      .example('$0 web', 'at http://localhost:8800, for the people of this machine')
      .example('$0 web --host pay.example.com --port 443 --tls-cert chain.pem --tls-key key.pem', 'for all of finance')
      .example('$0 web --behind-proxy https://pay.example.com', 'a proxy on this machine does the TLS'),
  handler: async (options) => {
    const { runWeb } = await import('./run.ts');
    await runWeb(options);
  },
};
