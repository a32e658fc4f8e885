import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './side-by-side.ts';

type Transfer = { id: string; at: string; currency_out: object; account: string; description: string };

/** The fields of the requests that it looks at. */
type Body = {
  id: string;
  recipient_id: string;
  search?: string;
  currency_out: object;
  external_accounts: { to: { id: string } };
  metadata: { description: string };
};

export type SmallService = {
  baseUrl: string;
  transfers: Transfer[];
  asked: string[];
  /** Every request as it came. */
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
};

/**
 * A service of the contract's smallest form, on loopback, that can be made to behave in ways the shipped one never does:
 * no cursor, no fingerprints, descriptions that come back changed. It checks no signatures.
 */
export async function smallService(behaviour: {
  /** How a description comes back from `transaction.get`. */
  get?: (description: string) => string;
  /** How it comes back from a listing; null hides the record. */
  list?: (description: string) => string | null;
  /** The transfers whose answers are lost, counted from 1; they take effect. */
  loses?: number[];
  /** How many of the first transfers to an account never take effect and are never answered. */
  drops?: Readonly<Record<string, number>>;
  /** The transfers that are answered with 400 and take no effect, counted from 1 as they arrive. */
  refuses?: number[];
  /** The status of transactions by their id, where it is not COMPLETED. */
  statuses?: Record<string, string>;
  /** Every transfer is answered with the first one's id. */
  sameId?: boolean;
  /** What every listing is refused with once a transfer has come. */
  listStatus?: number;
  /** False: its answers carry no `Date`. */
  hasDate?: boolean;
  /** The amount that transactions show instead of their own. */
  amount?: string;
  /** The account or accounts that each recipient has, by its id, as the `getAll` of their kind shows them. */
  accounts?: Record<string, object | object[]>;
}): Promise<SmallService> {
  const transfers: Transfer[] = [];
  const asked: string[] = [];
  const requests: SmallService['requests'] = [];
  const shown = ({ currency_out }: Transfer) =>
    behaviour.amount === undefined ? currency_out : { ...currency_out, value: behaviour.amount };
  const record = (transfer: Transfer, description: string) => ({
    id: transfer.id,
    created_at: transfer.at,
    status: behaviour.statuses?.[transfer.id] ?? 'COMPLETED',
    currency_in: shown(transfer),
    currency_out: shown(transfer),
    metadata: { description },
  });
  const arrived = new Map<string, number>();
  const isDropped = ({ external_accounts: { to } }: Body): boolean => {
    const place = (arrived.get(to.id) ?? 0) + 1;
    arrived.set(to.id, place);
    return place <= (behaviour.drops?.[to.id] ?? 0);
  };
  const operations: Record<string, (body: Body) => unknown> = {
    'account.balance.getMany': () => {
      const held = (code: string, value: string) => ({ value, code, decimals: 2 });
      const usdc = { value: '100000000', code: 'USDC', decimals: 6, chain: 'polygon' };
      return {
        balances: [...['AUD', 'BRL', 'EUR'].map((code) => held(code, '100000000')), usdc].map((available) => ({
          available,
          pending: { ...available, value: '0' },
        })),
      };
    },
    'account.external.bank.getAll': ({ recipient_id }) => [behaviour.accounts?.[recipient_id] ?? []].flat(),
    'account.external.bank.add': ({ recipient_id }) => ({ id: `made for ${recipient_id}` }),
    'account.external.web3.getAll': ({ recipient_id }) => [behaviour.accounts?.[recipient_id] ?? []].flat(),
    'account.external.web3.add': ({ recipient_id }) => ({ id: `made for ${recipient_id}` }),
    'transaction.transfer'(body) {
      const id = `t${transfers.length + 1}`;
      const { description } = body.metadata;
      const account = body.external_accounts.to.id;
      transfers.push({ id, at: new Date().toISOString(), currency_out: body.currency_out, account, description });
      return behaviour.sameId ? 't1' : id;
    },
    'transaction.get'({ id }) {
      const found = transfers.find((transfer) => transfer.id === id);
      return found ? record(found, (behaviour.get ?? same)(found.description)) : null;
    },
    'transaction.getMany'({ search }) {
      const found = transfers.filter(({ description }) => !search || description.includes(search));
      const listed = found.flatMap((transfer) => {
        const description = (behaviour.list ?? same)(transfer.description);
        return description === null ? [] : [record(transfer, description)];
      });
      return { transactions: listed.reverse(), totals: { transfers: listed.length, fiatAmount: 0 } };
    },
  };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const name = (request.url ?? '').replace(/^.*\/v1\//, '');
      asked.push(name);
      requests.push({ path: request.url ?? '', headers: request.headers, body: text });
      response.sendDate = behaviour.hasDate !== false;
      const place = asked.filter((operation) => operation === 'transaction.transfer').length;
      if (name === 'transaction.transfer' && isDropped(JSON.parse(text))) {
        response.socket?.destroy();
        return;
      }
      if (name === 'transaction.transfer' && behaviour.refuses?.includes(place)) {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { code: 'REFUSED', message: 'refused on purpose' } }));
        return;
      }
      if (name === 'transaction.getMany' && behaviour.listStatus !== undefined && transfers.length > 0) {
        response.writeHead(behaviour.listStatus).end();
        return;
      }
      const data = operations[name]?.(JSON.parse(text));
      if (name === 'transaction.transfer' && behaviour.loses?.includes(transfers.length)) {
        response.socket?.destroy();
        return;
      }
      response.writeHead(data === undefined || data === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(data ? { data } : { error: { code: 'NOT_FOUND', message: 'not here' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, transfers, asked, requests };
}

const same = (description: string): string => description;
