import type { Command } from '../../command.ts';
import { DETACH, flag, HEALTH, SERVICE, text } from '../../options.ts';

export const web: Command = {
  command: 'web',
  describe: 'run the page for finance: upload, check, plan, approve, follow, download',
  options: {
    ...SERVICE,
    ...HEALTH,
    port: text('the port it listens on (default 8800; 0 for any free one)'),
    host: text(
      'the name or address it listens on (default this machine alone); others need --tls-cert or --behind-proxy',
    ),
    'tls-cert': text('its certificate, with the chain (PEM)'),
    'tls-key': text('the private key of the certificate (PEM, mode 0600)'),
    'behind-proxy': text('the https origin at which your proxy serves the page (https://pay.example.com)'),
    'mail-server': text('the URL of its mail server, as env:NAME or file:PATH (smtps://user:password@host:465)'),
    'mail-from': text('the sender of its mails, such as "Payroll <pay@example.org>"'),
    'allow-private-webhooks': flag('allow its webhooks to go to loopback and private networks'),
    'allow-private-services': flag('allow its connections to services on loopback and private networks'),
    'oidc-issuer': text('the provider at which people sign in, by OpenID Connect (https://login.example.com)'),
    'oidc-client': text('the client id that payrun has there'),
    'oidc-secret': text('the client secret, as env:NAME or file:PATH'),
    'oidc-roles': text('the roles of the groups there: Payroll=preparer+viewer,Treasury=approver'),
    'oidc-groups': text('the claim of the ID token that lists the groups (default groups)'),
    ...DETACH,
    'keep-uploads': text('how long to keep uploaded files that no plan needs any more (default 7d)'),
  },
  examples: [
    ['web', 'at http://localhost:8800, for this machine only'],
    ['web --host pay.example.com --port 443 --tls-cert chain.pem --tls-key key.pem', 'for all of finance'],
    ['web --behind-proxy https://pay.example.com', 'behind a TLS proxy on this machine'],
  ],
  work: () => import('./run.ts'),
};
