import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './side-by-side.ts';

export type ReceivedWebhook = {
  id: string;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
};

export type WebhookReceiver = { url: string; secret: string; webhooks: ReceivedWebhook[]; requests: number };

/** A secret of 24 bytes, unless the receiver is given another one. */
const SECRET = Buffer.from('twenty-four bytes, known');

function keyOf({ secret }: WebhookReceiver): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

/**
 * Receives webhooks over real HTTP and keeps those whose signature is right by the rules of Standard Webhooks, worked out
 * here by themselves. `answers` are the statuses in order; then 204.
 */
export async function webhookReceiver(answers: { status: number; location?: string }[] = []): Promise<WebhookReceiver> {
  const receiver: WebhookReceiver = {
    url: '',
    secret: `whsec_${SECRET.toString('base64')}`,
    webhooks: [],
    requests: 0,
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
        String(request.headers[`webhook-${name}`]),
      );
      const signed = createHmac('sha256', keyOf(receiver)).update(`${id}.${timestamp}.${body}`).digest('base64');
      const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
      const answer = answers[receiver.requests++];
      if (isFresh && signature === `v1,${signed}` && answer === undefined)
        receiver.webhooks.push({ id: id ?? '', body, event: JSON.parse(body) });
      response
        .writeHead(answer?.status ?? 204, answer?.location === undefined ? {} : { location: answer.location })
        .end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?team=pay`;
  return receiver;
}
