import { parseWebhookSecret } from '../contract/webhook.ts';
import { Refusal } from '../domain/refusal.ts';
import { parseSmtpAddress, type SmtpAddress } from './smtp-address.ts';

/** What stands where `env:NAME` or `file:PATH` points. Throws a `Refusal` (`usage`), which `name` is the subject of. */
export type Secrets = (reference: string, name: string) => string;

/** Throws a `Refusal` (`usage`) that does not repeat what stands there. */
export function readSmtpAddress(reference: string, secrets: Secrets): SmtpAddress {
  const address = parseSmtpAddress(secrets(reference, 'smtp'));
  if (address !== null) return address;
  throw new Refusal(
    'usage',
    `smtp: ${reference} holds no address of a mail server.`,
    'Write it as smtps://user:password@host:465, with %40 for an @ in the name or the password.',
  );
}

/** Throws a `Refusal` (`usage`) that does not repeat what stands there. */
export function readWebhookSecret(reference: string, secrets: Secrets): Uint8Array {
  const secret = parseWebhookSecret(secrets(reference, 'webhook.secret'));
  if (secret !== null) return secret;
  throw new Refusal(
    'usage',
    `webhook.secret: ${reference} holds no secret.`,
    'A secret is whsec_ and 24 to 64 bytes in base64.',
  );
}
