import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** A service that answers at once, in a process of its own. */
export type Peer = {
  port: number;
  /** How many transfers it was sent. */
  transfers(): Promise<number>;
  /** Requests of any kind. */
  requests(): Promise<number>;
  /** Payees paid: fewer than transfers if some were paid twice. */
  payees(): Promise<number>;
};

/** Runs `work` with its own peer, which drops every `lostEach`-th answer to a transfer, if given. */
export async function withPeer<T>(work: (peer: Peer) => Promise<T>, lostEach = 0): Promise<T> {
  const child = fork(fileURLToPath(new URL('./peer.ts', import.meta.url)), [String(lostEach)], {
    execPath: process.execPath,
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const counts = async (): Promise<Record<'transfers' | 'requests' | 'payees', number>> => {
    child.send('count');
    return (await once(child, 'message'))[0];
  };
  const transfers = async () => (await counts()).transfers;
  const requests = async () => (await counts()).requests;
  const payees = async () => (await counts()).payees;
  try {
    return await work({ port, transfers, requests, payees });
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}
