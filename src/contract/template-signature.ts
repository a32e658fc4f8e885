import { Buffer } from 'node:buffer';
import { assert, Refusal } from '../domain/refusal.ts';
import type { SigningFault } from '../domain/refusals/signing-reasons.ts';
import type { ToSign } from './signature.ts';
import { isPrintableAscii } from './structured-fields.ts';

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
  /** The same values give the same bytes. */
  toSign(values: TemplateValues): ToSign<Record<string, string>>;
};

type Filled = TemplateValues & { signature: Buffer };

/** What each placeholder becomes, and where it may stand. */
const PLACEHOLDERS = {
  timestamp: { in: 'both', fill: ({ created }: Filled) => `${created}` },
  timestamp_ms: { in: 'both', fill: ({ created }: Filled) => `${created * 1_000}` },
  method: { in: 'both', fill: ({ method }: Filled) => method },
  path: { in: 'both', fill: ({ path }: Filled) => path },
  body: { in: 'message', fill: ({ body }: Filled) => body },
  nonce: { in: 'both', fill: ({ nonce }: Filled) => nonce },
  key_id: { in: 'both', fill: ({ keyId }: Filled) => keyId },
  signature: { in: 'headers', fill: ({ signature }: Filled) => signature.toString('base64') },
  signature_hex: { in: 'headers', fill: ({ signature }: Filled) => signature.toString('hex') },
} as const;

type Placeholder = keyof typeof PLACEHOLDERS;
type Part = { literal: string } | { placeholder: Placeholder };

const HEADERS_MAX = 32;
const TEMPLATE_LENGTH_MAX = 4_096;
const NO_SIGNATURE = Buffer.alloc(0);

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

/**
 * Reads the templates once, and refuses at configuration time (`Refusal` of kind `usage`) whatever could not be signed
 * later: an unknown placeholder, a header that is no header or that belongs to the transport, no header with the
 * signature. `{{` and `}}` stand for the braces themselves. At most 32 headers and 4,096 characters each.
 */
export function compileTemplate(scheme: TemplateScheme): CompiledTemplate {
  const message = parse(scheme.message, null);
  if (!message.some((part) => 'placeholder' in part)) throw wrongTemplate({ why: 'always_the_same' });
  const headers = compileHeaders(scheme.headers);
  return {
    toSign(values) {
      const text = render(message, { ...values, signature: NO_SIGNATURE });
      return {
        message: Buffer.from(text, 'utf8'),
        headers: (signature) => headersWith(headers, { ...values, signature: Buffer.from(signature) }),
      };
    },
  };
}

type Header = { name: string; parts: Part[] };

function headersWith(headers: readonly Header[], filled: Filled): Record<string, string> {
  const signed: Record<string, string> = { 'content-type': 'application/json' };
  for (const { name, parts } of headers) {
    const value = render(parts, filled);
    // Nothing that reaches a header here comes from the input file, so a line end in it is our own mistake.
    assert(isPrintableAscii(value), 'a signed header would have had a line end or a control character');
    signed[name] = value;
  }
  return signed;
}

function compileHeaders(headers: Readonly<Record<string, string>>): Header[] {
  const entries = Object.entries(headers);
  if (entries.length > HEADERS_MAX) throw wrongTemplate({ why: 'too_many_headers', max: HEADERS_MAX });
  const seen = new Set<string>();
  const compiled = entries.map(([header, template]) => {
    const name = header.toLowerCase();
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]{1,100}$/.test(name)) throw wrongTemplate({ why: 'no_header_name', header });
    if (TRANSPORT_HEADERS.has(name)) throw wrongTemplate({ why: 'transport_header', header: name });
    if (seen.has(name)) throw wrongTemplate({ why: 'header_twice', header: name });
    seen.add(name);
    const parts = parse(template, name);
    // No CR, LF or NUL (RFC 9110 section 5.5), and nothing that an encoding could turn into one.
    if (!parts.every((part) => 'placeholder' in part || isPrintableAscii(part.literal)))
      throw wrongTemplate({ why: 'unprintable_header', header: name });
    return { name, parts };
  });
  const carriesSignature = (part: Part): boolean =>
    'placeholder' in part && (part.placeholder === 'signature' || part.placeholder === 'signature_hex');
  if (!compiled.some(({ parts }) => parts.some(carriesSignature))) throw wrongTemplate({ why: 'no_signature' });
  return compiled;
}

/** Literals and placeholders in turn, of a header or, where that is null, of the message. A brace that is neither doubled nor around a known name is a mistake. */
function parse(template: string, header: string | null): Part[] {
  if (template.length > TEMPLATE_LENGTH_MAX) throw wrongTemplate({ why: 'too_long', header, max: TEMPLATE_LENGTH_MAX });
  const place = header === null ? 'message' : 'headers';
  const names = Object.keys(PLACEHOLDERS) as Placeholder[];
  const allowed = names.filter((name) => PLACEHOLDERS[name].in === 'both' || PLACEHOLDERS[name].in === place);
  return Array.from(template.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g), ([token, name]): Part => {
    if (name === undefined) {
      if (token === '{' || token === '}') throw wrongTemplate({ why: 'single_brace', header, brace: token });
      return { literal: token === '{{' ? '{' : token === '}}' ? '}' : token };
    }
    const placeholder = allowed.find((known) => known === name);
    if (placeholder === undefined)
      throw wrongTemplate({ why: 'unknown_placeholder', header, placeholder: name, allowed });
    return { placeholder };
  });
}

function render(parts: readonly Part[], filled: Filled): string {
  let text = '';
  for (const part of parts) text += 'literal' in part ? part.literal : PLACEHOLDERS[part.placeholder].fill(filled);
  return text;
}

function wrongTemplate(fault: SigningFault): Refusal {
  return new Refusal({ code: 'signing_template', ...fault });
}
