import { Buffer } from 'node:buffer';
import { assert, Refusal } from '../domain/refusal.ts';
import type { SigningKey } from '../keys/ed25519.ts';

/** What a service signs that does not follow RFC 9421: a text, and the headers that carry the result. */
export type TemplateScheme = {
  /** Header name to value, such as `x-signature: "{signature}"`. */
  headers: Readonly<Record<string, string>>;
  /** The text whose UTF-8 is signed, such as `{timestamp}{method}{path}{body}`. */
  message: string;
};

export type TemplateValues = {
  method: string;
  path: string;
  body: string;
  nonce: string;
  keyId: string;
  /** Unix seconds. */
  created: number;
};

export type CompiledTemplate = {
  /** The headers for these values; the same values give the same bytes. */
  sign(values: TemplateValues, key: SigningKey): Record<string, string>;
};

/**
 * Reads the templates once, and refuses at configuration time (`Refusal` of kind `usage`) whatever could not be signed
 * later: an unknown placeholder, a header that is no header or that belongs to the transport, no header with the
 * signature. `{{` and `}}` stand for the braces themselves. At most 32 headers and 4,096 characters each.
 */
export function compileTemplate(scheme: TemplateScheme): CompiledTemplate {
  const message = parse(scheme.message, MESSAGE_PLACEHOLDERS, 'the message to sign');
  if (!message.some(isPlaceholder)) refuse('the message to sign has no placeholder, so every signature is the same');
  const headers = compileHeaders(scheme.headers);
  return {
    sign(values, key) {
      const text = render(message, values, NO_SIGNATURE);
      const signature = key.sign(Buffer.from(text, 'utf8'));
      return Object.fromEntries([
        CONTENT_TYPE,
        ...headers.map(({ name, parts }) => [name, headerValue(render(parts, values, signature))]),
      ]);
    },
  };
}

const MESSAGE_PLACEHOLDERS = ['timestamp', 'timestamp_ms', 'method', 'path', 'body', 'nonce', 'key_id'] as const;
const HEADER_PLACEHOLDERS = [
  'timestamp',
  'timestamp_ms',
  'method',
  'path',
  'nonce',
  'key_id',
  'signature',
  'signature_hex',
] as const;

type Placeholder = (typeof MESSAGE_PLACEHOLDERS)[number] | (typeof HEADER_PLACEHOLDERS)[number];
type Part = { literal: string } | { placeholder: Placeholder };

const HEADERS_MAX = 32;
const TEMPLATE_LENGTH_MAX = 4_096;
const NO_SIGNATURE = new Uint8Array(0);
const CONTENT_TYPE: [string, string] = ['content-type', 'application/json'];

/** The transport writes these itself; a second one would change where the request ends or where it goes. */
const TRANSPORT_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function compileHeaders(headers: Readonly<Record<string, string>>): { name: string; parts: Part[] }[] {
  const entries = Object.entries(headers);
  if (entries.length > HEADERS_MAX) refuse(`there are more than ${HEADERS_MAX} headers`);
  const seen = new Set<string>();
  const compiled = entries.map(([given, template]) => {
    const name = given.toLowerCase();
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]{1,100}$/.test(name)) refuse(`${JSON.stringify(given)} is no name of a header`);
    if (TRANSPORT_HEADERS.has(name)) refuse(`the header ${name} belongs to the transport and cannot be set`);
    if (seen.has(name)) refuse(`the header ${name} is there twice`);
    seen.add(name);
    const parts = parse(template, HEADER_PLACEHOLDERS, `the header ${name}`);
    if (!isHeaderText(parts.map((part) => (isPlaceholder(part) ? '' : part.literal)).join(''))) {
      refuse(`the header ${name} has a line end or another character that no header may have`);
    }
    return { name, parts };
  });
  if (!compiled.some(({ parts }) => parts.some(carriesSignature))) {
    refuse('no header carries {signature} or {signature_hex}');
  }
  return compiled;
}

/** Literals and placeholders in turn. A brace that is neither doubled nor around a known name is a mistake. */
function parse(template: string, allowed: readonly Placeholder[], where: string): Part[] {
  if (template.length > TEMPLATE_LENGTH_MAX) refuse(`${where} is longer than ${TEMPLATE_LENGTH_MAX} characters`);
  const parts: Part[] = [];
  for (const [token, name] of template.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g)) {
    if (name !== undefined) parts.push({ placeholder: known(name, allowed, where) });
    else if (token === '{' || token === '}')
      refuse(`${where} has a single ${token}; write it twice for the brace itself`);
    else parts.push({ literal: token === '{{' ? '{' : token === '}}' ? '}' : token });
  }
  return parts;
}

function known(name: string, allowed: readonly Placeholder[], where: string): Placeholder {
  const found = allowed.find((placeholder) => placeholder === name);
  if (found) return found;
  const list = allowed.map((placeholder) => `{${placeholder}}`).join(', ');
  return refuse(`${where} has the placeholder {${name}}, and can have only ${list}`);
}

function render(parts: readonly Part[], values: TemplateValues, signature: Uint8Array): string {
  let text = '';
  for (const part of parts) text += isPlaceholder(part) ? fill(part.placeholder, values, signature) : part.literal;
  return text;
}

function fill(placeholder: Placeholder, values: TemplateValues, signature: Uint8Array): string {
  switch (placeholder) {
    case 'timestamp':
      return `${values.created}`;
    case 'timestamp_ms':
      return `${values.created * 1_000}`;
    case 'method':
      return values.method;
    case 'path':
      return values.path;
    case 'body':
      return values.body;
    case 'nonce':
      return values.nonce;
    case 'key_id':
      return values.keyId;
    case 'signature':
      return Buffer.from(signature).toString('base64');
    case 'signature_hex':
      return Buffer.from(signature).toString('hex');
    default:
      return placeholder satisfies never;
  }
}

/** Nothing that reaches a header here comes from the input file, so a line end in it is our own mistake. */
function headerValue(value: string): string {
  assert(isHeaderText(value), 'a signed header would have had a line end or a control character');
  return value;
}

/** Printable ASCII: no CR, LF or NUL (RFC 9110 section 5.5), and nothing that an encoding could turn into one. */
function isHeaderText(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value);
}

function isPlaceholder(part: Part): part is { placeholder: Placeholder } {
  return 'placeholder' in part;
}

function carriesSignature(part: Part): boolean {
  return isPlaceholder(part) && (part.placeholder === 'signature' || part.placeholder === 'signature_hex');
}

function refuse(what: string): never {
  throw new Refusal('usage', `signing template: ${what}`, 'correct `signing` in the connection profile');
}
