import type { Connection } from '../../app/service/at-service.ts';
import type { Money } from '../../domain/money.ts';

/** What the service holds, by currency, in its order; null where it does not answer, or refuses. */
export async function askBalances(connect: () => Promise<Connection>): Promise<Money[] | null> {
  const connection = await connect();
  try {
    const result = await connection.client.read('account.balance.getMany', {});
    if (!result.ok) return null;
    return result.data.balances.map(({ available: { value, code, chain, decimals } }) => {
      return { minor: BigInt(value), currency: { code, chain: chain ?? null, decimals } };
    });
  } finally {
    await connection.close();
  }
}
