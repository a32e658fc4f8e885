/** Takes one sentence about something that is wrong, naming the row. */
export type Find = (text: string) => void;

/** `GBP` or `USDC on polygon`, of columns where no chain is '' or null. */
export function currencyOf(code: unknown, chain: unknown): string {
  return chain === '' || chain === null ? String(code) : `${code} on ${chain}`;
}
