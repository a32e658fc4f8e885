import type { CredentialsFault, WebhooksFault } from '../../domain/refusals/settings-reasons.ts';
import type { WordsOf } from './refusal-words.ts';
import { setUpWords } from './set-up-words.ts';

type Text = [message: string, remedy: string];

/** What is wrong with how the service is connected to. */
export const CONNECTION_WORDS: WordsOf<'wrong_credentials' | 'webhooks_unusable' | 'health_unusable'> = {
  wrong_credentials: ({ fault }) => setUpWords('credentials', ...credentialsText(fault)),
  webhooks_unusable: ({ fault }) => setUpWords('webhooks', ...webhooksText(fault)),
  health_unusable: ({ listen, cause }) => ({
    message:
      cause === null
        ? `Health checks: ${listen} is no address with a port.`
        : `Health checks cannot be answered at ${listen}: ${cause}.`,
    remedy: {
      command_line: 'Write it like 127.0.0.1:8797, with a port that is free; 0.0.0.0 where other machines ask.',
      page: 'Ask the person who operates payrun.',
    },
  }),
};

function credentialsText(fault: CredentialsFault): Text {
  switch (fault.why) {
    case 'no_variable':
      return [`${fault.name}: the environment has no ${fault.variable}.`, 'Set it, or name another source.'];
    case 'unreadable_file':
      return [`${fault.name}: ${fault.path} cannot be read.`, 'Check the path after file:.'];
    case 'open_file':
      return [`${fault.name}: the permissions of ${fault.path} are too open.`, `chmod 600 ${fault.path}`];
    case 'not_a_url':
      return [`${fault.url} is no base URL.`, 'Write it like https://payouts.example/.'];
    case 'no_tls':
      return [`${fault.url} would send signed payouts without TLS.`, 'Use https; http is for loopback only.'];
    case 'key_without_service':
      return ['There is a key but no service.', 'Give --base-url, or no key to rehearse.'];
    case 'no_api_key':
      return ['The API key id is missing.', 'Give --api-key or api_key.'];
    case 'no_signing_key':
      return ['The signing key is missing.', 'Give --signing-key FILE or signing_key_file.'];
    case 'no_sender':
      return [
        'There is an address for webhooks and no service that sends them: the one inside this process sends none.',
        `Start \`payrun service --allow-private-webhooks --webhook http://${fault.listen}/\` and name its --base-url, or give --webhook-listen none.`,
      ];
  }
}

function webhooksText(fault: WebhooksFault): Text {
  switch (fault.why) {
    case 'no_address':
      return ['There is a key for webhooks and no address.', 'Give --webhook-listen 127.0.0.1:8795.'];
    case 'no_key':
      return [
        'Webhooks cannot be received without a key to know their sender by.',
        'Give --webhook-key whpk_…, or public_key or secret under webhooks in the profile.',
      ];
    case 'secret_itself':
      return ['webhooks.secret: the secret itself does not belong there.', 'Write env:NAME or file:PATH.'];
    case 'wrong_address':
      return [
        `--webhook-listen: ${fault.text} is no address with a port.`,
        'Write it like 127.0.0.1:8795 or [::1]:8795; 0.0.0.0 where others than this machine shall reach it; none for none.',
      ];
    case 'no_whpk_key':
      return ['The key for webhooks is no whpk_ key.', COPY_KEY];
    case 'unusable_key':
      return [`The key for webhooks cannot be used: ${fault.problem}.`, COPY_KEY];
    case 'no_secret':
      return [
        `webhooks.secret: ${fault.reference} holds no secret.`,
        'A secret is whsec_ and 24 to 64 bytes in base64, as the service showed it once.',
      ];
    case 'not_listening': {
      const why = fault.code === null ? 'is taken' : `cannot be listened on (${fault.code})`;
      return [`--webhook-listen: ${fault.listen} ${why}.`, 'Name another address, or none to go on without webhooks.'];
    }
  }
}

const COPY_KEY = 'Copy it as the service showed it: whpk_ and 44 characters.';
