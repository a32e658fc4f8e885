import { resolve } from 'node:path';

const POSTGRES = /^postgres(?:ql)?:\/\//;

/** Whether a journal's URL names a PostgreSQL database. */
export function isPostgres(url: string): boolean {
  return POSTGRES.test(url);
}

/** The journal that a URL names, as it is shown to people who may be elsewhere. */
export function shownPlace(url: string): string {
  return isPostgres(url) ? shownUrl(url) : resolve(url.replace(/^sqlite:/, ''));
}

/** What of a database's parameters says where it is; others may be secrets. */
const SHOWN_PARAMETERS = ['host', 'port', 'dbname', 'user', 'sslmode'];

/**
 * A journal's URL as it is shown to people, in logs too: without the password, however that is written. All between the first
 * colon and the last `@` is left out, since a password that was not encoded may hold anything.
 */
export function shownUrl(url: string): string {
  if (!isPostgres(url)) return url;
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)(.*)$/s.exec(url) ?? [];
  const at = rest.lastIndexOf('@');
  const user = at < 0 ? '' : `${rest.slice(0, at).split(':', 1)[0]}@`;
  const [address = '', parameters = ''] = rest.slice(at + 1).split(/[?#]/, 2);
  const shown = new URLSearchParams(parameters);
  for (const name of [...shown.keys()]) if (!SHOWN_PARAMETERS.includes(name)) shown.delete(name);
  const query = decodeURIComponent(shown.toString());
  return `${scheme}${user}${address}${query === '' ? '' : `?${query}`}`;
}
