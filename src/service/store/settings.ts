import type { Store } from './database.ts';

/** What is kept under a name, or an empty text. */
export function readSetting(store: Store, name: string): string {
  return String(store.get('SELECT value FROM setting WHERE name = ?', name)?.value ?? '');
}

/** Inside a transaction. An empty text is as good as nothing kept. */
export function writeSetting(store: Store, name: string, value: string): void {
  store.run(WRITE, name, value);
}

const WRITE = 'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
