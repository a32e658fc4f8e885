import { Either, Plural, readings, type Translator, translator } from '../../messages/translate.ts';
import { htmlText } from '../../report/html/html-parts.ts';
import { type Item, messageOfText, type Piece, piecesOf, type Text } from './segments.ts';

/** A piece of a page: everything in it is escaped already. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template. Null, undefined and false are left out. */
export type Shown = Html | string | number | bigint | Plural | Either | null | undefined | false | readonly Shown[];

/**
 * A template of HTML. Each text in it is escaped, and marks by which a stranger's text could look like another become
 * visible; pieces that are HTML stay as they are. What the template says itself is in the viewer's language.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Shown[]): Html {
  const known = translator();
  if (known === undefined) return new Html(String.raw({ raw: parts }, ...values.map(textOf)));
  const pieces = PIECES.get(parts) ?? piecesOf(parts);
  PIECES.set(parts, pieces);
  return new Html(pieces.map((piece) => translatedPiece(piece, values, known)).join(''));
}

/** Text that is HTML already, such as the pictures of the report. */
export function raw(text: string): Html {
  return new Html(text);
}

const PIECES = new WeakMap<TemplateStringsArray, readonly Piece[]>();

function translatedPiece(piece: Piece | Item, values: readonly Shown[], known: Translator): string {
  if ('html' in piece) return piece.html;
  if ('value' in piece) return textOf(values[piece.value]);
  if ('items' in piece) return translatedText(piece, values, known);
  return translatedElement(
    piece,
    piece.inside.map((item) => translatedPiece(item, values, known)),
    values,
    known,
  );
}

type Element = Extract<Item, { inside: unknown }>;

function translatedElement(
  { open, close }: Element,
  inside: readonly string[],
  values: readonly Shown[],
  known: Translator,
) {
  return `${open.map((each) => translatedPiece(each, values, known)).join('')}${inside.join('')}${close}`;
}

function translatedText(text: Text, values: readonly Shown[], known: Translator): string {
  const { numbers, elements } = messageOfText(text, values);
  const tags = [...elements].map(([name, element]) => {
    const write = (inside: unknown[]) => raw(translatedElement(element, inside.map(partOf), values, known));
    return [name, write] as const;
  });
  for (const read of readings(values.map((value, at) => (numbers.includes(at) ? value : null)))) {
    const { message } = messageOfText(text, read);
    const taken = numbers.map((at) => messageValue(read[at]));
    const parts = known.parts(message, taken, Object.fromEntries(tags));
    if (parts !== null) return parts.map(partOf).join('');
  }
  return text.items.map((item) => translatedPiece(item, values, known)).join('');
}

/** As a translation takes it: the number of words that agree with it, or HTML, which it leaves as it is. */
function messageValue(value: Shown): unknown {
  return value instanceof Plural || value instanceof Either ? value.value : raw(textOf(value));
}

function partOf(part: unknown): string {
  return part instanceof Html ? String(part) : htmlText(String(part));
}

function textOf(value: Shown): string {
  if (value instanceof Html) return String(value);
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Plural || value instanceof Either) return htmlText(String(value));
  return typeof value === 'object' ? value.map(textOf).join('') : htmlText(String(value));
}
