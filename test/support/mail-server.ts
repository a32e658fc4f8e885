import { type AddressInfo, createServer, type Socket } from 'node:net';
import { atEnd } from './side-by-side.ts';

export type ReceivedMail = {
  /** What stood in MAIL FROM and RCPT TO. */
  from: string;
  to: string[];
  /** The message as it came, before anything was decoded. */
  raw: string;
  headers: { name: string; value: string }[];
  subject: string;
  text: string;
};

export type MailServer = {
  url: string;
  mails: ReceivedMail[];
  /** Every line that was no part of a message. */
  commands: string[];
  connections: number;
  /** Resolves when so many commands that match have come. */
  heard(pattern: RegExp, count?: number): Promise<void>;
};

/** What it does instead of saying yes. */
export type MailBehaviour = {
  /** It takes connections and never says anything. */
  isSilent?: boolean;
  /** The answer to a command (`MAIL FROM:<…>`), or to the end of a message (`.`); null for the usual one, '' for none. */
  answers?: (command: string) => string | null;
  /** AUTH PLAIN is asked for, and takes only this. */
  login?: { user: string; password: string };
};

/** A mail server on loopback that speaks as much SMTP (RFC 5321) as a client of ours needs, in plain text, and keeps all. */
export async function mailServer(behaviour: MailBehaviour = {}): Promise<MailServer> {
  const listeners = new Set<() => void>();
  const server: MailServer = {
    url: '',
    mails: [],
    commands: [],
    connections: 0,
    heard: (pattern, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (server.commands.filter((command) => pattern.test(command)).length < count) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
  };
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    server.connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    converse(socket, behaviour, server, () => {
      for (const listener of listeners) listener();
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  const { login } = behaviour;
  const who = login === undefined ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
  server.url = `smtp://${who}127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return server;
}

function converse(socket: Socket, behaviour: MailBehaviour, server: MailServer, heard: () => void): void {
  const say = (text: string): void => void (text !== '' && socket.write(`${text}\r\n`));
  let pending = '';
  let message: string[] | null = null;
  let envelope = { from: '', to: [] as string[] };
  const command = (line: string): void => {
    server.commands.push(line);
    const answer = behaviour.answers?.(line) ?? null;
    heard();
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'MAIL') envelope = { from: addressIn(line), to: [] };
    if (verb === 'RCPT') envelope.to.push(addressIn(line));
    if (verb === 'DATA' && answer === null) message = [];
    say(answer ?? usualAnswer(verb, line, behaviour));
  };
  const ofMessage = (line: string): void => {
    if (line !== '.') {
      message?.push(line.startsWith('.') ? line.slice(1) : line);
      return;
    }
    const raw = (message ?? []).join('\r\n');
    message = null;
    server.commands.push('.');
    const answer = behaviour.answers?.('.') ?? null;
    if (answer === null) server.mails.push({ ...envelope, raw, ...readMessage(raw) });
    heard();
    say(answer ?? '250 taken');
  };
  if (behaviour.isSilent) return;
  say('220 mail');
  socket.setEncoding('latin1').on('data', (text: string) => {
    pending += text;
    for (;;) {
      const end = pending.indexOf('\r\n');
      if (end === -1) return;
      const line = pending.slice(0, end);
      pending = pending.slice(end + 2);
      if (message === null) command(line);
      else ofMessage(line);
    }
  });
}

function usualAnswer(verb: string, line: string, { login }: MailBehaviour): string {
  switch (verb) {
    case 'EHLO':
      return login ? '250-mail\r\n250 AUTH PLAIN' : '250 mail';
    case 'AUTH':
      return isLogin(line, login) ? '235 welcome' : '535 who are you';
    case 'DATA':
      return '354 go on';
    case 'STAR':
      return '502 no TLS here';
    case 'QUIT':
      return '221 bye';
    default:
      return '250 ok';
  }
}

function isLogin(line: string, login: MailBehaviour['login']): boolean {
  const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    .toString()
    .split('\u0000');
  return login !== undefined && user === login.user && password === login.password;
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

/** Headers unfolded, the subject's encoded words and the text's transfer encoding taken off. */
function readMessage(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1).trim() }));
  const headerOf = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value ?? '';
  const body = rest.join('\r\n\r\n');
  const text = { 'quoted-printable': unquoted, base64: fromBase64 }[headerOf('content-transfer-encoding')] ?? utf8;
  return { headers, subject: words(headerOf('subject')), text: text(body).replaceAll('\r\n', '\n') };
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

function unquoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return utf8(bytes);
}

/** RFC 2047: `=?UTF-8?Q?…?=`. */
function words(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? fromBase64(word) : unquoted(word.replaceAll('_', ' ')),
    );
}
