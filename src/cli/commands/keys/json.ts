import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';

export const keysOutput = z
  .strictObject({
    file: text,
    public_key: text.describe('Ed25519, base64url.'),
    public_key_hex: text,
    suggested_id: text.optional().describe('Of a signing key: the id under which the service may register it.'),
  })
  .meta({ description: 'The public half of a key file.' });
export type KeysOutput = z.output<typeof keysOutput>;
