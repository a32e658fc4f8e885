/** A mail server, and who we are there. */
export type SmtpAddress = {
  host: string;
  port: number;
  /** TLS from the first byte. */
  isSecure: boolean;
  /** Plain text only there. */
  isLoopback: boolean;
  login: { user: string; password: string } | null;
};

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/**
 * Reads `smtps://user:password@host:465` (TLS), or `smtp://…`, which begins TLS with STARTTLS or ends, but on loopback.
 * Null for anything else. Nothing in it but these parts counts: the mail library would take options from a query.
 */
export function parseSmtpAddress(text: string): SmtpAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'smtps:' && url.protocol !== 'smtp:')) return null;
  const hasMore = url.search !== '' || url.hash !== '' || (url.pathname !== '' && url.pathname !== '/');
  if (hasMore || url.hostname === '' || (url.username === '') !== (url.password === '')) return null;
  try {
    const login =
      url.username === ''
        ? null
        : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    return {
      host,
      port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
      isSecure: url.protocol === 'smtps:',
      isLoopback: /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host),
      login,
    };
  } catch {
    // A per cent sign that begins nothing.
    return null;
  }
}
