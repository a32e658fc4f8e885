import { type Language, viewer } from './viewer.ts';

// The English text in the source is the key of its translation, as an ICU message: t`Waits for ${names}` is `Waits for {0}`.

/** What puts texts into another language. Each gives null for a message that it does not have. */
export type Translator = {
  text(message: string, values: readonly MessageValue[]): string | null;
  /** Text and what is no text, in their order. `tags` are called with what stands in them. */
  parts(
    message: string,
    values: readonly unknown[],
    tags: Record<string, (inside: unknown[]) => unknown>,
  ): unknown[] | null;
};

/** What ICU formats: a text as it is, a number for the words that agree with it, `yes` or `other` for one of two. */
type MessageValue = string | number;

const TRANSLATORS = new Map<Language, Translator>();

/** Texts for viewers of the language come from here from now on; with null they are in English, and nobody can choose it. */
export function setTranslator(language: Language, translator: Translator | null): void {
  if (translator === null) TRANSLATORS.delete(language);
  else TRANSLATORS.set(language, translator);
}

/** The languages that people can choose: English, and those that were loaded. */
export function offered(): Language[] {
  return ['en', ...TRANSLATORS.keys()];
}

export function isOffered(text: string): text is Language {
  return offered().some((language) => language === text);
}

/** That of the viewer's language; undefined for English, and for a language that was not loaded. */
export function translator(): Translator | undefined {
  const { language } = viewer();
  return language === 'en' ? undefined : TRANSLATORS.get(language);
}

/** Words that agree with a number, in English of the one and of others; `#` stands for the number. */
export class Plural {
  readonly count: number;
  readonly one: string;
  readonly other: string;

  constructor(count: number, one: string, other: string) {
    this.count = count;
    this.one = one;
    this.other = other;
  }

  get message(): string {
    return `plural, one {${escaped(this.one)}} other {${escaped(this.other)}}`;
  }

  get value(): number {
    return this.count;
  }

  get english(): string {
    return (this.count === 1 ? this.one : this.other).replace('#', () => englishNumber(this.count));
  }

  toString(): string {
    return translator()?.text(`{0, ${this.message}}`, [this.value]) ?? this.english;
  }
}

/** One of two texts. */
export class Either {
  readonly isFirst: boolean;
  readonly first: string;
  readonly second: string;

  constructor(isFirst: boolean, first: string, second: string) {
    this.isFirst = isFirst;
    this.first = first;
    this.second = second;
  }

  get message(): string {
    return `select, yes {${escaped(this.first)}} other {${escaped(this.second)}}`;
  }

  get value(): string {
    return this.isFirst ? 'yes' : 'other';
  }

  get english(): string {
    return this.isFirst ? this.first : this.second;
  }

  toString(): string {
    return translator()?.text(`{0, ${this.message}}`, [this.value]) ?? this.english;
  }
}

/** Words that agree with a number: `plural(rows, '# row waits', '# rows wait')`. Their translation may need the whole sentence. */
export function plural(count: number, one: string, other: string): Plural {
  return new Plural(count, one, other);
}

/** The first text where it is so, else the second, which the translation sees both. */
export function either(isFirst: boolean, first: string, second: string): Either {
  return new Either(isFirst, first, second);
}

/** What may stand in a text. */
export type TextValue = string | number | bigint | boolean | null | undefined | Plural | Either;

/** A text in the viewer's language. */
export function t(texts: TemplateStringsArray, ...values: readonly TextValue[]): string {
  const known = translator();
  if (known !== undefined)
    for (const read of readings(values)) {
      const translated = known.text(messageOf(texts, read), read.map(messageValue));
      if (translated !== null) return translated;
    }
  return String.raw({ raw: texts }, ...values);
}

/** The same of a text that is not known here. It has to be in a `textTable` elsewhere. */
export function translated(text: string): string {
  return translator()?.text(escaped(text), []) ?? text;
}

/**
 * A table of texts, however deep, each of which is in the viewer's language when it is read. Functions in it stay as they are, and so
 * does what stands under one of the names `codes`.
 */
export function textTable<const Table extends object>(table: Table, codes: readonly string[] = []): Table {
  const made: object = Array.isArray(table) ? [] : {};
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(table))) {
    if (Array.isArray(table) && name === 'length') continue;
    const { value } = property;
    if (typeof value === 'string' && !codes.includes(name))
      Object.defineProperty(made, name, { get: () => translated(value), enumerable: true });
    else if (isTable(value)) Object.defineProperty(made, name, { value: textTable(value, codes), enumerable: true });
    else Object.defineProperty(made, name, property);
  }
  return made as Table;
}

function isTable(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * The values of a template as its message may have them. Words that agree with a number are a part of it where they are written in
 * the template; where they were made elsewhere they are a text of their own. Nobody sees at a value which of the two it is.
 */
export function* readings<Value>(values: readonly Value[]): Generator<readonly (Value | string)[]> {
  const words = values.flatMap((value, at) => (isWords(value) ? [at] : []));
  for (let apart = 0; apart < 2 ** words.length; apart++)
    yield values.map((value, at) => ((apart >> words.indexOf(at)) & 1 && words.includes(at) ? String(value) : value));
}

function isWords(value: unknown): value is Plural | Either {
  return value instanceof Plural || value instanceof Either;
}

/** The message whose texts stand around these values. */
export function messageOf(texts: readonly string[], values: readonly unknown[]): string {
  return texts.map((text, at) => (at === 0 ? '' : placeholder(values[at - 1], at - 1)) + escaped(text)).join('');
}

/** `{0}`, or the words that agree with a number, or are one of two. */
export function placeholder(value: unknown, at: number): string {
  return isWords(value) ? `{${at}, ${value.message}}` : `{${at}}`;
}

function messageValue(value: TextValue): MessageValue {
  return isWords(value) ? value.value : String(value);
}

/** A text as ICU reads it: braces and what looks like a tag are quoted, and quotes that would quote. */
export function escaped(text: string): string {
  return text.replace(/'(?=['{}<#]|$)/g, "''").replace(/[{}]|<(?=[a-z/])/gi, (one) => `'${one}'`);
}

/** `1,200`. */
export function englishNumber(count: number): string {
  // The first number that a process formats takes 15 ms, and most have nothing to group.
  return Number.isInteger(count) && Math.abs(count) < 1_000 ? String(count) : count.toLocaleString('en');
}
