import { hash } from 'node:crypto';
import { REHEARSAL_HEADER } from '../../contract/headers.ts';
import { OPERATIONS, type OperationName, pathOf } from '../../contract/operations.ts';
import { type Answer, answerOf, refused } from '../gateway/answers.ts';
import type { HttpRequest } from '../http.ts';
import {
  componentName,
  dataReference,
  errorReferences,
  errorResponses,
  type JsonSchema,
  rateHeaders,
  reference,
  schemaComponents,
} from './components.ts';
import { SENT_EVENTS } from './response-shapes.ts';

/** Of the document, beside the version of the interface that is part of every path. */
const DOCUMENT_VERSION = '1.0.0';

const SUMMARIES: Readonly<Record<OperationName, string>> = {
  'quote.get': 'What one currency is worth in another now. Moves nothing and binds nobody.',
  'transaction.transfer': 'A swap, a withdrawal or a payout. Answers with the id of a transaction that is PENDING.',
  'transaction.submitWithdraw': 'A withdrawal to an external account, by another shape.',
  'transaction.get': 'One transaction.',
  'transaction.getMany': 'Transactions, newest first. Reads its own writes.',
  'account.recipient.create': 'Creates a recipient.',
  'account.recipient.get': 'One recipient.',
  'account.recipient.getMany': 'Recipients, newest first, each with its totals.',
  'account.customer.get': 'The customer itself.',
  'account.external.bank.add': 'Adds a bank account, of a recipient or of the caller. Each rail has its own fields.',
  'account.external.web3.add': 'Adds a wallet, of a recipient or of the caller.',
  'account.external.bank.getAll': 'The bank accounts of a recipient, or of the caller.',
  'account.external.web3.getAll': 'The wallets of a recipient, or of the caller.',
  'account.balance.getMany': 'What can be spent and what is reserved, in each currency.',
};

const SIGNING =
  `The id of a key that is registered with its public Ed25519 half. Every request is signed with it by HTTP
Message Signatures (RFC 9421, algorithm ed25519) over "@method" "@authority" "@path" "content-type" "content-digest"
"x-api-key", in this order, labelled sig, with the parameters created, expires, nonce (128 random bits in base64url),
keyid, alg="ed25519" and tag="payout-v1". created is at most 300 s old and 30 s ahead, expires at most 300 s after it.
A nonce is used once. Content-Digest is that of RFC 9530, sha-256 or sha-512.`.replaceAll('\n', ' ');

/** The OpenAPI 3.1 document of the public port, made from the shapes by which requests are checked. */
export function openapiDocument(): JsonSchema {
  const operations = Object.keys(OPERATIONS) as OperationName[];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Currency exchange and payout service (payrun rehearsal)',
      version: DOCUMENT_VERSION,
      summary: 'Quotes, swaps, payouts and accounts. Everything moves rehearsal money only.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that gave this document.' }],
    security: [SECURITY],
    tags: ['quote', 'transaction', 'account'].map((name) => ({ name })),
    paths: Object.fromEntries(operations.map((name) => [pathOf(name), { post: operationObject(name) }])),
    webhooks: Object.fromEntries(Object.keys(SENT_EVENTS).map((type) => [type, { post: eventObject(type) }])),
    components: {
      schemas: schemaComponents(),
      responses: errorResponses(),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function operationObject(name: OperationName): JsonSchema {
  const data = dataReference(name);
  const success = { type: 'object', properties: { data }, required: ['data'], additionalProperties: false };
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: SUMMARIES[name],
    requestBody: {
      // Specification, 4.4: the body of a listing is optional.
      required: name !== 'transaction.getMany',
      content: { 'application/json': { schema: reference('schemas', `${componentName(name)}Request`) } },
    },
    responses: {
      '200': {
        description: 'It was carried out.',
        headers: { ...rateHeaders(), [REHEARSAL_HEADER]: reference('headers', REHEARSAL_HEADER) },
        content: { 'application/json': { schema: success } },
      },
      ...errorReferences(),
    },
  };
}

function eventObject(type: string): JsonSchema {
  return {
    operationId: `${type}.event`,
    tags: ['transaction'],
    summary: type === 'transaction.created' ? 'A transaction was created.' : 'A transaction has changed its status.',
    description: 'Standard Webhooks. At least once, in no promised order: the truth is transaction.get.',
    security: [],
    parameters: WEBHOOK_PARAMETERS.map((parameter) => reference('parameters', parameter)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference('schemas', `${componentName(type)}Event`) } },
    },
    responses: {
      '2XX': { description: 'It has arrived.' },
      '410': { description: 'Nothing more is to be sent there.' },
      default: { description: 'It is sent again later.' },
    },
  };
}

/** Not parameters of each operation: a client that is made from this document signs all of them in one place. */
const SECURITY_SCHEMES = {
  apiKey: securityHeader('x-api-key', SIGNING),
  contentDigest: securityHeader('content-digest', 'RFC 9530: sha-256=:<base64>: of the body.'),
  signatureInput: securityHeader('signature-input', 'RFC 9421: what is signed, and when.'),
  signature: securityHeader('signature', 'RFC 9421: sig=:<base64>:.'),
};

/** All of them together. */
const SECURITY = Object.fromEntries(Object.keys(SECURITY_SCHEMES).map((name) => [name, []]));

function securityHeader(name: string, description: string): JsonSchema {
  return { type: 'apiKey', in: 'header', name, description };
}

const WEBHOOK_PARAMETERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  'webhook-id': headerParameter('webhook-id', 'The same for every try of one event.'),
  'webhook-timestamp': headerParameter('webhook-timestamp', 'Unix seconds of this try.'),
  'webhook-signature': headerParameter(
    'webhook-signature',
    'Signatures of id.timestamp.body, with blanks between them: v1a,<base64> by Ed25519, v1,<base64> by HMAC-SHA256.',
  ),
};

function headerParameter(name: string, description: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  RateLimit: { description: '"default";r=<requests left>;t=<seconds until more>', schema: { type: 'string' } },
  'RateLimit-Policy': { description: '"default";q=<requests>;w=<seconds>', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } },
  [REHEARSAL_HEADER]: { description: 'No money moves.', schema: { const: 'true' } },
};

/** Readers may keep it so long before they ask again. */
const MAX_AGE_SECONDS = 300;

/**
 * `GET /openapi.json`: the document of the public port, unsigned. It is the same for everybody and as long as the
 * process runs, so it is written once, when it is first asked for. Null for a request of something else.
 */
export function openapiEndpoint(isOwnHost: (authority: string) => boolean): (request: HttpRequest) => Answer | null {
  let written: { body: string; etag: string } | null = null;
  return ({ target, method, authority, headers }) => {
    if (!/^\/openapi\.json(\?|$)/.test(target)) return null;
    if (!isOwnHost(authority)) return answerOf(refused('FORBIDDEN', 'the Host is not one of this service'));
    if (method !== 'GET' && method !== 'HEAD')
      return answerOf(refused('METHOD_NOT_SUPPORTED', 'the document is read with GET'), { allow: 'GET, HEAD' });
    written ??= write();
    const { body, etag } = written;
    const cache = { etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, [REHEARSAL_HEADER]: 'true' };
    if (headers['if-none-match'] === etag) return { status: 304, headers: cache, body: '' };
    return { status: 200, headers: cache, body };
  };
}

function write(): { body: string; etag: string } {
  const body = JSON.stringify(openapiDocument());
  return { body, etag: `"${hash('sha256', body, 'base64url')}"` };
}
