import { htmlText } from '../../report/html/html-parts.ts';

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
export type Shown = Html | string | number | bigint | null | undefined | false | readonly Shown[];

/**
 * A template of HTML. Each text in it is escaped, and marks by which a stranger's text could look like another become
 * visible; pieces that are HTML stay as they are.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Shown[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(textOf)));
}

/** Text that is HTML already, such as the pictures of the report. */
export function raw(text: string): Html {
  return new Html(text);
}

function textOf(value: Shown): string {
  if (value instanceof Html) return String(value);
  if (value === null || value === undefined || value === false) return '';
  return typeof value === 'object' ? value.map(textOf).join('') : htmlText(String(value));
}
