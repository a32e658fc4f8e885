import { Buffer } from 'node:buffer';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

export type Authenticator = {
  /** What a browser answers to the options of a registration (JSON text). */
  create(options: { challenge: string; rp: { id?: string } }): string;
  /** What a browser answers to the options of an approval (JSON text). */
  get(options: { challenge: string; rpId?: string }, how?: { origin?: string; counter?: number }): string;
};

/** A passkey in software (ES256, attestation none): what it says is what a browser's would, at `origin`. */
export function authenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  const client = (type: string, challenge: string, from = origin): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  return {
    create({ challenge, rp }) {
      const data = Buffer.concat([
        head(rp.id ?? '', 0x45, counter),
        Buffer.alloc(16),
        lengthOf(id),
        id,
        coseOf(publicKey),
      ]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(data)],
      ]);
      return answerText(id, {
        clientDataJSON: client('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      });
    },
    get({ challenge, rpId }, how = {}) {
      counter = how.counter ?? counter + 1;
      const data = head(rpId ?? '', 0x05, counter);
      const clientData = client('webauthn.get', challenge, how.origin);
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
      return answerText(id, {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      });
    },
  };
}

function answerText(id: Buffer, response: object): string {
  const name = id.toString('base64url');
  return JSON.stringify({ id: name, rawId: name, type: 'public-key', response, clientExtensionResults: {} });
}

/** Whose it is, that somebody was there (and known), and how often it signed. */
function head(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}

function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
    [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
  ]);
  return Buffer.from(isoCBOR.encode(key as never));
}
