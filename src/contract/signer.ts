import { Refusal } from '../domain/refusal.ts';
import type { SigningKey } from '../keys/ed25519.ts';
import { requestToSign, type ToSign } from './signature.ts';
import { isKeyId } from './signature-input.ts';
import { compileTemplate, type TemplateScheme } from './template-signature.ts';

export type SignerRequest = {
  /** The whole path on the request line, without a query. */
  path: string;
  /** The Host of the request. */
  authority: string;
  body: string;
  /** Unix seconds, integers. */
  created: number;
  expires: number;
  /** At least 128 random bits in base64url without padding. */
  nonce: string;
};

/**
 * Signs the requests of one client: all headers that the service needs, `content-type` among them. The same request
 * gives the same bytes, so what the journal keeps of a request is enough to send exactly that request again.
 */
export type Signer = {
  sign(request: SignerRequest): RequestHeaders;
  /** The same from a thread of the pool, so that other requests go on meanwhile. */
  signInPool(request: SignerRequest): Promise<RequestHeaders>;
};

type RequestHeaders = Record<string, string>;

/** All operations of the contract are POST with a JSON body. */
const METHOD = 'POST';
const CONTENT_TYPE = 'application/json';

/** Signs by the RFC 9421 profile of the shipped service. Throws a `Refusal` for a key id that no header can carry. */
export function rfc9421Signer({ keyId, key }: { keyId: string; key: SigningKey }): Signer {
  requireKeyId(keyId);
  return signerBy(key, (request) => requestToSign({ ...request, method: METHOD, contentType: CONTENT_TYPE, keyId }));
}

/** Signs a text, for services that have a scheme of their own. Throws a `Refusal` for templates that cannot work. */
export function templateSigner(options: TemplateScheme & { keyId: string; key: SigningKey }): Signer {
  const { keyId, key } = options;
  requireKeyId(keyId);
  const template = compileTemplate(options);
  return signerBy(key, ({ path, body, nonce, created }) =>
    template.toSign({ method: METHOD, path, body, nonce, keyId, created }),
  );
}

function signerBy(key: SigningKey, toSign: (request: SignerRequest) => ToSign<RequestHeaders>): Signer {
  return {
    sign(request) {
      const { message, headers } = toSign(request);
      return headers(key.sign(message));
    },
    async signInPool(request) {
      const { message, headers } = toSign(request);
      return headers(await key.signInPool(message));
    },
  };
}

function requireKeyId(keyId: string): void {
  if (!isKeyId(keyId)) throw new Refusal({ code: 'key_id_unusable' });
}
