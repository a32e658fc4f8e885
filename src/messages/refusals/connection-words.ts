import type { ConnectionClosed } from '../../domain/refusals/run-reasons.ts';
import type { CredentialsFault, WebhooksFault } from '../../domain/refusals/settings-reasons.ts';
import { t } from '../translate.ts';
import type { WordsOf } from './refusal-words.ts';
import { setUpWords } from './set-up-words.ts';

type Text = [message: string, remedy: string];

const CLOSED: { readonly [Why in ConnectionClosed]: (name: string) => string } = {
  disabled: (name) => t`The connection ${name} is disabled.`,
  untested: (name) => t`The connection ${name} has not been tested yet.`,
  failed: (name) => t`The connection ${name} failed its last test.`,
};

/** What is wrong with how the service is connected to. */
export const CONNECTION_WORDS: WordsOf<
  'wrong_credentials' | 'webhooks_unusable' | 'health_unusable' | 'connection_unknown' | 'connection_closed'
> = {
  connection_unknown: ({ runId, connection, dataDir }, { command }) => ({
    message: t`${runId} was started over the page's connection ${connection}, which ${dataDir} does not have.`,
    remedy: {
      command_line: `Name the data directory or the database of that page, or a profile of its service: ${command('resume', runId, '--profile', 'FILE')}`,
      page: t`Continue it by command, with the profile of its service.`,
    },
    details: { run_id: runId },
  }),
  connection_closed: ({ connection, why }) => ({
    message: CLOSED[why](connection),
    nothingSent: true,
    remedy:
      why === 'disabled'
        ? {
            command_line: 'An administrator enables it on the page, in Settings.',
            page: t`Ask an administrator to enable it in Settings.`,
          }
        : {
            command_line: 'An administrator tests it on the page, in Settings.',
            page: t`Ask an administrator to test it in Settings.`,
          },
  }),
  wrong_credentials: ({ fault }) => setUpWords('credentials', ...credentialsText(fault)),
  webhooks_unusable: ({ fault }) => setUpWords('webhooks', ...webhooksText(fault)),
  health_unusable: ({ listen, cause }) => ({
    message:
      cause === null
        ? t`Health checks: ${listen} is no address with a port.`
        : t`Health checks cannot be answered at ${listen}: ${cause}.`,
    remedy: {
      command_line: 'Write it like 127.0.0.1:8797, with a port that is free; 0.0.0.0 where other machines ask.',
      page: t`Ask the person who operates payrun.`,
    },
  }),
};

function credentialsText(fault: CredentialsFault): Text {
  switch (fault.why) {
    case 'no_variable':
      return [
        t`${fault.name}: the environment variable ${fault.variable} is not set.`,
        t`Set it, or name another source.`,
      ];
    case 'unreadable_file':
      return [t`${fault.name}: ${fault.path} cannot be read.`, t`Check the path after file:.`];
    case 'open_file':
      return [t`${fault.name}: the permissions of ${fault.path} are too open.`, t`chmod 600 ${fault.path}`];
    case 'not_a_url':
      return [t`${fault.url} is no base URL.`, t`Write it like https://payouts.example/.`];
    case 'no_tls':
      return [t`${fault.url} would send signed payouts without TLS.`, t`Use https; http is for loopback only.`];
    case 'private_address':
      return [
        t`${fault.url} leads to an address inside your network, or to this machine.`,
        t`Give the public address of the service, or start payrun with --allow-private-services.`,
      ];
    case 'not_a_proxy':
      return [
        t`${fault.variable} names no proxy.`,
        t`Write it like http://proxy.example:3128; other kinds are not supported.`,
      ];
    case 'no_certificates':
      return [
        t`ca_file: ${fault.path} holds no certificates (${fault.cause}).`,
        t`Name a PEM file with the certificate of who issued the service's, -----BEGIN CERTIFICATE-----.`,
      ];
    case 'key_without_service':
      return [t`There is a key but no service.`, t`Give --base-url, or no key to rehearse.`];
    case 'no_api_key':
      return [t`The API key id is missing.`, t`Give --api-key or api_key.`];
    case 'no_signing_key':
      return [t`The signing key is missing.`, t`Give --signing-key FILE or signing_key_file.`];
    case 'no_sender':
      return [
        t`There is an address for webhooks but no service to send them: the one inside this process sends none.`,
        t`Start \`payrun service --allow-private-webhooks --webhook http://${fault.listen}/\` and name its --base-url, or give --webhook-listen none.`,
      ];
  }
}

function webhooksText(fault: WebhooksFault): Text {
  switch (fault.why) {
    case 'no_address':
      return [t`There is a key for webhooks but no address.`, t`Give --webhook-listen 127.0.0.1:8795.`];
    case 'no_key':
      return [
        t`Webhooks cannot be received without a key to verify their sender.`,
        t`Give --webhook-key whpk_…, or public_key or secret under webhooks in the profile.`,
      ];
    case 'secret_itself':
      return [t`webhooks.secret: the secret itself does not belong there.`, t`Write env:NAME or file:PATH.`];
    case 'wrong_address':
      return [
        t`--webhook-listen: ${fault.text} is no address with a port.`,
        t`Write it like 127.0.0.1:8795 or [::1]:8795; 0.0.0.0 to allow other machines; none to turn it off.`,
      ];
    case 'no_whpk_key':
      return [t`The key for webhooks is no whpk_ key.`, copyKey()];
    case 'unusable_key':
      return [t`The key for webhooks cannot be used: ${fault.problem}.`, copyKey()];
    case 'no_secret':
      return [
        t`webhooks.secret: ${fault.reference} holds no secret.`,
        t`A secret is whsec_ and 24 to 64 bytes in base64, as the service showed it once.`,
      ];
    case 'not_listening': {
      const why = fault.code === null ? t`is taken` : t`cannot be listened on (${fault.code})`;
      return [
        t`--webhook-listen: ${fault.listen} ${why}.`,
        t`Name another address, or none to continue without webhooks.`,
      ];
    }
  }
}

const copyKey = () => t`Copy it as the service showed it: whpk_ and 44 characters.`;
