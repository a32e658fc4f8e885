import { type Fault, fault } from '../../../../domain/problem.ts';
import type { ElementNode } from './content-model.ts';
import type { XmlSink } from './xml-stream.ts';

/** What comes of a message that is held against its content model. */
export type ElementSink = {
  opened(node: ElementNode): void;
  /** A text that may stand there, or an element that is read for nothing. `currency`: of an amount. */
  found(node: ElementNode, text: string, currency: string): void;
  closed(node: ElementNode): void;
  /** `node`: the element that is wrong, or in which one is missing. */
  wrong(node: ElementNode, what: Fault, value: string | null): void;
};

/** An element that is open: the place of its last child in the order, and how many of these there were. */
type Frame = { node: ElementNode; last: number; count: number; currency: string };

/**
 * Holds the elements of a message against its content model: their names, order and number, and what texts hold. What is in
 * an element that may not stand there is passed over.
 */
export class ElementReader implements XmlSink {
  readonly #root: ElementNode;
  readonly #sink: ElementSink;
  /** With colon; empty for none. All elements have the same. */
  readonly #prefix: string;
  readonly #frames: Frame[] = [];
  /** Levels below the element that is passed over. */
  #passed = 0;
  #text = '';

  constructor(root: ElementNode, prefix: string, sink: ElementSink) {
    this.#root = root;
    this.#prefix = prefix;
    this.#sink = sink;
  }

  /** The innermost element that is open. */
  get node(): ElementNode {
    return this.#frames.at(-1)?.node ?? this.#root;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#passed > 0) {
      this.#passed++;
      return;
    }
    const own = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : `:${name}`;
    const above = this.#frames.at(-1);
    if (above === undefined) {
      this.#push(this.#root, '');
      return;
    }
    this.#noteText(above);
    const member = above.node.member(own);
    const isOther = namesSpace(attributes);
    if (member === null || isOther || !above.node.mayFollow(member, above.last, above.count)) {
      this.#sink.wrong(
        above.node,
        fault('element_unexpected', { element: shown(name), inside: above.node.name }),
        null,
      );
      this.#passed = 1;
      return;
    }
    if (member.at > above.last) this.#noteMissing(above, member.at);
    above.count = member.at === above.last ? above.count + 1 : 1;
    above.last = member.at;
    const node = above.node.child(member);
    this.#push(node, node.isAmount ? (attributes.Ccy ?? '') : '');
    if (!node.isAny) return;
    this.#sink.found(node, '', '');
    this.#frames.pop();
    this.#passed = 1;
  }

  text(text: string): void {
    if (this.#passed === 0) this.#text += text;
  }

  close(): void {
    if (this.#passed > 0) {
      this.#passed--;
      this.#text = '';
      return;
    }
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const { node } = frame;
    if (node.rule === null) {
      this.#noteText(frame);
      this.#noteMissing(frame, Number.POSITIVE_INFINITY);
    } else this.#takeText(frame);
    this.#text = '';
    this.#sink.closed(node);
  }

  #push(node: ElementNode, currency: string): void {
    this.#frames.push({ node, last: -1, count: 0, currency });
    this.#text = '';
    this.#sink.opened(node);
  }

  #takeText({ node, currency }: Frame): void {
    const text = this.#text;
    const { rule } = node;
    const isRight = rule?.isRight(text) === true && (!node.isAmount || /^[A-Z]{3}$/.test(currency));
    if (rule !== null && !isRight)
      this.#sink.wrong(node, fault('element_invalid', { element: node.name, wanted: rule.wanted }), text);
    this.#sink.found(node, text.trim(), currency);
  }

  /** Text beside elements. */
  #noteText({ node }: Frame): void {
    if (this.#text.trim() === '' || node.rule !== null) return;
    const wanted = { form: 'elements' } as const;
    this.#sink.wrong(node, fault('element_invalid', { element: node.name, wanted }), this.#text.trim());
  }

  #noteMissing({ node, last }: Frame, before: number): void {
    for (const element of node.missing(last, before))
      this.#sink.wrong(node, fault('element_missing', { element, inside: node.name }), null);
  }
}

/** A name may be as long as a tag. */
function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

/** Whether an element names a namespace of its own. */
function namesSpace(attributes: Readonly<Record<string, string>>): boolean {
  for (const attribute in attributes) if (attribute.startsWith('xmlns')) return true;
  return false;
}
