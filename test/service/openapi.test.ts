import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts';
import { GBP_ACCOUNT, gbpPayout, type Reply, settled, startTestService, type TestService, WALLET } from './harness.ts';
import { startReceiver } from './webhook-receiver.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of every shape
type Json = any;

let service: TestService;
let document: Json;
let ajv: Ajv2020;

beforeAll(async () => {
  service = await startTestService({
    settleMs: 0,
    rateLimit: { requests: 10_000, windowMs: 10_000 },
    webhooks: { allowPrivate: true },
  });
  document = await (await fetch(`${service.service.baseUrl}/openapi.json`)).json();
  ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: false });
  formats.default(ajv);
  // The members of the document around its schemas, which mean nothing to a schema.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'document', undefined, false);
});
afterAll(() => service.close());

/** Follows a reference of the document. */
function at(pointer: string): Json {
  const parts = pointer.slice(2).split('/');
  return parts.reduce((found, part) => found?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

const compiled = new Map<string, ValidateFunction>();

/** The schema at a place of the document, ready to judge. */
function schemaAt(pointer: string): ValidateFunction {
  const found = compiled.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
  compiled.set(pointer, found);
  return found;
}

function problems(pointer: string, value: unknown): string {
  const validate = schemaAt(pointer);
  return validate(value) ? '' : `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`;
}

const postOf = (operation: string) => `#/paths/~1v1~1${operation}/post`;
const CONTENT = 'content/application~1json/schema';

function requestProblems(operation: string, body: unknown): string {
  return problems(`${postOf(operation)}/requestBody/${CONTENT}`, body);
}

function answerProblems(operation: string, reply: Reply): string {
  const response = at(`${postOf(operation)}/responses/${reply.status}`);
  if (response === undefined) return `${operation} has no answer ${reply.status} in the document`;
  const place = response.$ref ?? `${postOf(operation)}/responses/${reply.status}`;
  return problems(`${place}/${CONTENT}`, JSON.parse(reply.text));
}

/** Calls, and holds both sides to the document. `isRefused`: the schema of the request is to refuse it too. */
async function call(operation: OperationName, body: unknown, isRefused = false): Promise<Json> {
  expect(requestProblems(operation, body) !== '', `${operation} ${JSON.stringify(body)}`).toBe(isRefused);
  const reply = await service.call(operation, body);
  expect(answerProblems(operation, reply)).toBe('');
  return reply;
}

async function data(operation: OperationName, body: unknown): Promise<Json> {
  const reply = await call(operation, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.data;
}

describe('the document', () => {
  it('is a valid one of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(document);
    expect(result.errors ?? [], JSON.stringify(result.errors)).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('has every operation and both events, and nothing that it refers to is missing', () => {
    expect(Object.keys(document.paths).sort()).toEqual(
      Object.keys(OPERATIONS)
        .map((operation) => `/v1/${operation}`)
        .sort(),
    );
    expect(Object.keys(document.webhooks)).toEqual(['transaction.created', 'transaction.updated']);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to ?? '');
    expect(references.length).toBeGreaterThan(100);
    for (const to of new Set(references)) expect(at(to), to).toBeDefined();
  });

  it('leaves nothing open: each object says which fields it has, and no schema takes anything', () => {
    const loose: string[] = [];
    const look = (schema: Json, place: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const isPart = place.includes('/allOf/');
      if (schema.type === 'object' && schema.additionalProperties === undefined && !isPart) loose.push(place);
      if (Object.keys(schema).length === 0) loose.push(`${place} is empty`);
      for (const [name, inner] of Object.entries(schema.properties ?? {})) look(inner, `${place}/${name}`);
      for (const key of ['items', 'additionalProperties']) if (key in schema) look(schema[key], `${place}/${key}`);
      for (const key of ['anyOf', 'oneOf', 'allOf'])
        for (const [index, inner] of (schema[key] ?? []).entries()) look(inner, `${place}/${key}/${index}`);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name);
    expect(loose).toEqual([]);
  });

  it('has the headers of signatures as ways of security, all together, and not as parameters', () => {
    const { security, components, paths } = document;
    const headers = Object.keys(security[0]).map((name) => components.securitySchemes[name].name);
    expect([security.length, headers.sort()]).toEqual([
      1,
      ['content-digest', 'signature', 'signature-input', 'x-api-key'],
    ]);
    for (const path of Object.keys(paths)) expect(paths[path].post.parameters, path).toBeUndefined();
  });

  it('is served to anybody who asks this host for it, and kept by its tag', async () => {
    const url = `${service.service.baseUrl}/openapi.json`;
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('ratelimit')).toBeNull();
    const etag = answer.headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
    const posted = await fetch(url, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const foreign = await request(url, { headers: { host: 'evil.example' } });
    expect([foreign.statusCode, await foreign.body.text()]).toEqual([403, expect.stringContaining('FORBIDDEN')]);
  });
});

describe('what the service sends and takes is what the document says', () => {
  it('for every operation', async () => {
    const receiver = await startReceiver();
    await service.admin('webhook.add', { url: receiver.url });
    const customer = (await service.admin('state')).data.customer_id;
    await data('account.customer.get', { id: customer });
    const recipient = await data('account.recipient.create', {
      metadata: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone_number: { country_code: '+44', number: '2071234567' },
        business_info: { entity_name: 'Engines', registration_number: '1', address: { city: 'London', country: 'GB' } },
      },
    });
    await data('account.recipient.create', { metadata: { name: 'Bare' } });
    await data('account.recipient.get', { id: recipient.id });
    const bank = await data('account.external.bank.add', { ...GBP_ACCOUNT, recipient_id: recipient.id });
    const returned = await data('account.external.bank.add', { ...GBP_ACCOUNT, account_name: 'REHEARSE_RETURN' });
    const closed = await data('account.external.bank.add', { ...GBP_ACCOUNT, account_name: 'REHEARSE_CLOSED' });
    const wallet = await data('account.external.web3.add', { ...WALLET, recipient_id: recipient.id });
    await data('account.external.bank.getAll', { recipient_id: recipient.id });
    await data('account.external.bank.getAll', {});
    await data('account.external.web3.getAll', { recipient_id: recipient.id });
    const gbp = (value: string) => ({ value, code: 'GBP', decimals: 2 });
    const usdc = (value: string) => ({ value, code: 'USDC', decimals: 6, chain: 'ethereum' });
    const eur = (value: string) => ({ value, code: 'EUR', decimals: 2 });
    const quote = await data('quote.get', { currency_out: gbp('10000'), currency_in: usdc('0') });
    await data('quote.get', { currency_out: gbp('0'), currency_in: eur('5000'), destination: 'EUR_SEPA' });
    await data('quote.get', { currency_out: gbp('500'), currency_in: gbp('0'), external_account_id: bank.id });
    const swap = { currency_out: gbp('10000'), external_accounts: { from: null, to: null } };
    const ids = [
      await data('transaction.transfer', gbpPayout(bank.id, 500, { reference: 'Invoice 7' })),
      await data('transaction.transfer', gbpPayout(returned.id, 500, { metadata: { description: 'comes back' } })),
      await data('transaction.transfer', gbpPayout(closed.id, 500)),
      await data('transaction.transfer', { ...swap, currency_in: usdc(quote.bid.value) }),
      await data('transaction.submitWithdraw', {
        external_account_id: wallet.id,
        currency_out: usdc('2500000'),
        metadata: { proof_of_purpose: { url: 'https://example.com/1.pdf', name: '1.pdf' } },
      }),
    ];
    for (const id of ids) expect(requestProblems('transaction.get', { id: (await settled(service, id)).id })).toBe('');
    const states = await Promise.all(ids.map(async (id) => (await data('transaction.get', { id })).status));
    expect(states).toEqual(['COMPLETED', 'COMPLETED', 'FAILED', 'COMPLETED', 'COMPLETED']);
    const all = await data('transaction.getMany', { limit: 100, type: 'all', search: '' });
    const kinds = all.transactions.map((one: Json) => one.external_reference_type);
    expect(new Set(kinds)).toEqual(new Set(['BANK_GBP_FPS', 'RETURN', 'INTERNAL', 'CRYPTO_ETHEREUM']));
    for (const { id } of all.transactions) await data('transaction.get', { id });
    await data('transaction.getMany', { limit: 2, recipient_id: recipient.id });
    await data('account.recipient.getMany', { limit: 1 });
    await data('account.recipient.getMany', {});
    await data('account.balance.getMany', {});
    await checkEvents(receiver.arrived(2 * ids.length + 1));
    await receiver.close();
  });

  it('for a copy of what was accepted', async () => {
    const bank = await data('account.external.bank.add', GBP_ACCOUNT);
    const request = service.sign('transaction.transfer', gbpPayout(bank.id, 500));
    const { data: transaction_id } = await service.send(request);
    const replay = await service.send(request);
    expect(answerProblems('transaction.transfer', replay)).toBe('');
    expect(replay.error?.first).toEqual({ status: 200, transaction_id });
  });

  async function checkEvents(arrived: Promise<Json[]>): Promise<void> {
    const seen = new Set<string>();
    for (const { event, headers } of await arrived) {
      seen.add(event.type);
      expect(problems(`#/webhooks/${event.type}/post/requestBody/${CONTENT}`, event)).toBe('');
      for (const { $ref } of at(`#/webhooks/${event.type}/post/parameters`))
        expect(headers).toHaveProperty(at($ref).name);
    }
    expect([...seen].sort()).toEqual(['transaction.created', 'transaction.updated']);
  }

  it('for errors of every status', async () => {
    const statuses = new Set<number>();
    const check = (operation: OperationName, reply: Reply): void => {
      statuses.add(reply.status);
      expect(answerProblems(operation, reply)).toBe('');
    };
    check('transaction.get', await service.call('transaction.get', '{"id":'));
    check('transaction.get', await service.call('transaction.get', { id: 'txn_none' }));
    check('transaction.get', await service.call('transaction.get', {}, { keyId: 'key_none' }));
    check('transaction.get', await service.call('transaction.get', {}, { contentType: 'text/plain' }));
    check('transaction.get', await service.call('transaction.get', ' '.repeat(1_048_577)));
    const signed = service.sign('transaction.get', {});
    const headers = { ...signed.headers, host: 'evil.example' };
    const refused = await request(service.service.baseUrl + signed.path, {
      method: 'POST',
      headers,
      body: signed.body,
    });
    const text = await refused.body.text();
    check('transaction.get', { status: refused.statusCode, headers: {}, text, data: undefined, error: undefined });
    for (const [index, kind] of ['429', '500-before'].entries())
      await service.admin('fault.add', { operation: 'account.balance.getMany', kind, nth: index + 1 });
    check('account.balance.getMany', await service.call('account.balance.getMany', {}));
    check('account.balance.getMany', await service.call('account.balance.getMany', {}));
    const repeated = service.sign('transaction.transfer', gbpPayout('acc_none', 500));
    await service.send(repeated);
    const replay = await service.send(repeated);
    check('transaction.transfer', replay);
    expect(replay.error?.first).toEqual({ status: expect.any(Number) });
    expect([...statuses].sort()).toEqual([400, 401, 403, 404, 413, 415, 429, 500]);
    // One that stands in no answer of this service, and in no schema of that status.
    const odd = { status: 401, text: '{"error":{"code":"BAD_REQUEST","message":"x","reason":"INVALID"}}' } as Reply;
    expect(answerProblems('transaction.get', odd)).not.toBe('');
  });

  it('of headers', async () => {
    const { headers } = await service.call('account.balance.getMany', {});
    const told = at(`${postOf('account.balance.getMany')}/responses/200/headers`);
    for (const name of Object.keys(told)) expect(headers).toHaveProperty(name.toLowerCase());
    expect(Object.keys(told).sort()).toEqual(['RateLimit', 'RateLimit-Policy', 'x-payrun-rehearsal']);
  });

  it('of the headers of errors: those that the limit has counted say so', async () => {
    const replies = [
      await service.call('transaction.get', { id: 'txn_none' }),
      await service.call('transaction.get', {}),
      await service.call('transaction.get', {}, { contentType: 'text/plain' }),
      await service.call('transaction.get', ' '.repeat(1_048_577)),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 400, 415, 413]);
    for (const { status, headers } of replies) {
      const { $ref } = at(`${postOf('transaction.get')}/responses/${status}`);
      const told = Object.keys(at($ref).headers).map((name) => name.toLowerCase());
      const sent = Object.keys(headers).filter((name) => /^(ratelimit|x-payrun)/.test(name));
      expect(told.sort(), `of ${status}`).toEqual(sent.sort());
    }
  });

  const gbp = { value: '0', code: 'GBP', decimals: 2 };
  it.each<[OperationName, unknown]>([
    ['transaction.get', { id: 'txn_1', more: 1 }],
    ['transaction.get', {}],
    ['transaction.getMany', { limit: 501 }],
    ['transaction.getMany', { type: 'other' }],
    ['account.balance.getMany', { code: 'GBP' }],
    ['account.external.bank.add', { ...GBP_ACCOUNT, type: 'WEB3' }],
    ['account.recipient.create', { metadata: { name: '' } }],
    ['account.recipient.create', { metadata: { name: 'x', business_info: { address: { country: 'XX' } } } }],
    ['quote.get', { currency_in: { ...gbp, value: '-1' }, currency_out: gbp }],
    ['quote.get', { currency_in: gbp, currency_out: { ...gbp, value: 1 } }],
    ['quote.get', { currency_in: gbp, currency_out: gbp, destination: 'NOWHERE' }],
    ['transaction.transfer', { currency_out: gbp, external_accounts: { from: null, to: null }, metadata: { a: 1 } }],
    ['transaction.submitWithdraw', { external_account_id: 'acc_1', currency_out: { ...gbp, more: '' } }],
  ])('of what is refused: %s %o', async (operation, body) => {
    const reply = await call(operation, body, true);
    expect(reply.error).toMatchObject({ code: 'BAD_REQUEST', reason: 'INVALID' });
  });
});
