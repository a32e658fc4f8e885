import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Mailbox } from '../domain/notices/notify.ts';
import type { DeliveryFault } from '../domain/outcomes/notice-outcome.ts';
import { assert, Refusal } from '../domain/refusal.ts';
import { faultOf, NotDelivered, type Secrets } from './notice.ts';

/** A mail server, and the login there. */
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
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtps:' && url.protocol !== 'smtp:')) return null;
  const { protocol, hostname, username, password, port } = url;
  const hasMore = url.search !== '' || url.hash !== '' || (url.pathname !== '' && url.pathname !== '/');
  if (hasMore || hostname === '' || (username === '') !== (password === '')) return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  try {
    return {
      host,
      port: port === '' ? PORTS[protocol] : Number(port),
      isSecure: protocol === 'smtps:',
      isLoopback: /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host),
      login: username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
    };
  } catch {
    // A per cent sign that begins nothing.
    return null;
  }
}

/** Throws a `Refusal` (`usage`) that does not repeat what stands there. */
export function readSmtpAddress(reference: string, secrets: Secrets): SmtpAddress {
  const address = parseSmtpAddress(secrets(reference, 'smtp'));
  if (address !== null) return address;
  throw new Refusal({ code: 'secret_unusable', setting: 'smtp', reference });
}

/** Plain text. Addresses were found to be one address each; subject and text hold what people wrote. */
export type Mail = {
  from: Mailbox;
  to: readonly string[];
  subject: string;
  text: string;
  /** Without its brackets. The same for every copy of one message. */
  messageId: string;
};

/** `refused`: the server has nothing. `unknown`: it may have the message. `notTo`: those of several that it refused. */
export type Handed =
  | { outcome: 'taken'; notTo: readonly string[] }
  | { outcome: 'refused'; why: Extract<DeliveryFault, { fault: 'noted' }> }
  | { outcome: 'unknown'; why: DeliveryFault };

const CONNECT_MS = 10_000;
const ANSWER_MS = 15_000;

/** Errors after which the server has not taken the message: it refused the envelope, or the message itself. */
const REFUSALS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/**
 * One connection to a mail server. Messages go over it one after another, each once: nodemailer's own transports send a
 * message again where a connection ends, so its connection alone is used. After a message that was not taken it is over.
 */
export class MailLine {
  readonly #connection: SMTPConnection;

  readonly #stop: AbortSignal;
  readonly #stopped = (): void => this.#connection.close();

  private constructor(connection: SMTPConnection, stop: AbortSignal) {
    this.#connection = connection;
    this.#stop = stop;
    stop.addEventListener('abort', this.#stopped);
  }

  /** Connects, begins TLS and logs in. Rejects with what went wrong: then nothing was handed over. `stop` ends it. */
  static async open(address: SmtpAddress, stop: AbortSignal): Promise<MailLine> {
    const { host, port, isSecure, isLoopback, login } = address;
    const connection = new SMTPConnection({
      host,
      port,
      secure: isSecure,
      requireTLS: !isSecure && !isLoopback,
      ignoreTLS: !isSecure && isLoopback,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      socketCloseTimeout: 0,
    });
    const line = new MailLine(connection, stop);
    try {
      if (stop.aborted) throw new NotDelivered('no_time');
      await new Promise<void>((resolve, reject) => {
        connection.on('error', reject);
        connection.once('end', () => reject(new NotDelivered('connection_closed')));
        connection.connect((error) => (error ? reject(error) : resolve()));
      });
      if (login !== null) await line.#login(login.user, login.password);
      return line;
    } catch (error) {
      line.close();
      throw error;
    }
  }

  #login(user: string, pass: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.once('error', reject);
      this.#connection.login({ user, credentials: { user, pass } }, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Hands one message over. Never rejects. */
  async send(mail: Mail): Promise<Handed> {
    try {
      const message = await composed(mail);
      return await new Promise((resolve) => {
        const failed = (error: unknown): void => resolve(failure(error));
        this.#connection.once('error', failed);
        this.#connection.once('end', () => failed(new NotDelivered('connection_closed')));
        this.#connection.send({ from: mail.from.address, to: [...mail.to] }, message, (error, info) => {
          this.#connection.off('error', failed);
          if (error) failed(error);
          else resolve({ outcome: 'taken', notTo: info.rejected });
        });
      });
    } catch (error) {
      return failure(error);
    }
  }

  close(): void {
    this.#stop.removeEventListener('abort', this.#stopped);
    this.#connection.close();
  }
}

function failure(error: unknown): Handed {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const why = faultOf(error);
  return why.fault === 'noted' && REFUSALS.has(code) ? { outcome: 'refused', why } : { outcome: 'unknown', why };
}

/** The bytes of the message. A text that could end a header is a bug by now. */
function composed({ from, to, subject, text, messageId }: Mail): Promise<Buffer> {
  assert(
    !/[\r\n]/.test(subject + messageId + from.address + (from.name ?? '') + to.join('')),
    'a header has two lines',
  );
  const plain = to.map((address) => ({ name: '', address }));
  const headers = { 'Auto-Submitted': 'auto-generated' };
  const sender = { name: from.name ?? '', address: from.address };
  return new MailComposer({
    from: sender,
    to: plain,
    subject,
    text,
    messageId: `<${messageId}>`,
    headers,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
