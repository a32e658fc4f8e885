import { fiat } from '../../../../domain/currencies.ts';
import { parseMajor } from '../../../../domain/money.ts';
import { type BankPlace, type Fault, fault } from '../../../../domain/problem.ts';
import type { RowNote } from '../../../cells/cell-facts.ts';
import { BankOutput } from '../bank-output.ts';
import type { BankReader } from '../bank-table.ts';
import { documentOf, type ElementNode } from './content-model.ts';
import { amountOf, DecimalSum, plainDecimal } from './decimal-sum.ts';
import { ElementReader, type ElementSink } from './element-reader.ts';
import { PAIN001, type Pain001 } from './pain001-model.ts';
import { type ElementNote, executionDate, paymentCells } from './payment-cells.ts';
import type { XmlEncoding } from './xml-encoding.ts';
import { XmlStream } from './xml-stream.ts';

/** Of one payment, more problems are not noted. */
const NOTES_MAX = 50;

/** A figure that the file states of itself, and its line. */
type Stated = { text: string; line: number };

/** What the payments of a part of the message come to. */
class Counted {
  count = 0;
  readonly sum = new DecimalSum();
  stated = new Map<string, Stated>();
}

/** Reads credit transfers of ISO 20022, payment by payment. Rows are numbered by their place in the message. */
export class Pain001Reader implements BankReader, ElementSink {
  readonly output = new BankOutput();
  readonly #name: Pain001;
  readonly #xml: XmlStream;
  readonly #elements: ElementReader;
  readonly #message = new Counted();
  readonly #totals = new Map<string, bigint>();
  #hasAllTotals = true;
  #instruction = new Counted();
  #own = new Map<string, string[]>();
  #above = new Map<string, string[]>();
  #currency = '';
  #notes: RowNote[] = [];
  #payments = 0;
  #line = 0;
  #isClosed = false;

  constructor(message: Pain001, encoding: XmlEncoding, prefix: string) {
    this.#name = message;
    this.#elements = new ElementReader(documentOf(PAIN001[message]), prefix, this);
    this.#xml = new XmlStream(encoding, this.#elements);
  }

  push(chunk: Uint8Array): void {
    this.#stopAt(this.#xml.push(chunk));
  }

  end(): void {
    this.#stopAt(this.#xml.end());
    if (!this.#isClosed) this.output.stop(fault('file_cut_off', { missing: 'document' }));
    const totals = this.#hasAllTotals ? this.#totals : new Map<string, bigint>();
    this.output.finish({ count: this.#payments, totals });
  }

  opened(node: ElementNode): void {
    if (node.isPayment) {
      this.#payments++;
      this.#line = this.#xml.line;
      this.#own = new Map();
      this.#notes = [];
      this.#currency = '';
    } else if (node.path === 'PmtInf' && !node.isInPayment) {
      this.#instruction = new Counted();
      for (const path of this.#above.keys()) if (path.startsWith('PmtInf')) this.#above.delete(path);
    }
  }

  found(node: ElementNode, text: string, currency: string): void {
    const texts = node.isInPayment ? this.#own : this.#above;
    const known = texts.get(node.path);
    if (known === undefined) texts.set(node.path, [text]);
    else known.push(text);
    if (node.isInPayment) {
      if (node.path === 'Amt/InstdAmt') this.#takeAmount(text, currency);
      return;
    }
    if (node.name === 'NbOfTxs' || node.name === 'CtrlSum')
      this.#partOf(node).stated.set(node.name, { text, line: this.#xml.line });
    if (node.path === 'PmtInf/PmtMtd' && text !== 'TRF')
      this.output.problem('error', fault('payment_method_other', { method: text }), {
        place: this.#placeOf(node),
        value: text,
      });
  }

  closed(node: ElementNode): void {
    if (node.isPayment) this.#pay();
    else if (node.path === 'PmtInf' && !node.isInPayment) {
      this.#compare('PmtInf', this.#instruction);
      this.output.date(executionDate(this.#above));
    } else if (node.name === 'Document') {
      this.#compare('GrpHdr', this.#message);
      this.#isClosed = true;
    }
  }

  wrong(node: ElementNode, what: Fault, value: string | null): void {
    const place = this.#placeOf(node);
    if (!node.isInPayment) this.output.problem('error', what, { place, value });
    else if (this.#notes.length < NOTES_MAX) this.#notes.push({ severity: 'error', column: null, what, place, value });
  }

  #partOf(node: ElementNode): Counted {
    return node.path.startsWith('PmtInf') ? this.#instruction : this.#message;
  }

  #placeOf(node: ElementNode): BankPlace {
    const line = this.#xml.line;
    if (!node.isInPayment) return { in: 'element', element: node.path === '' ? node.name : node.path, line };
    return this.#inPayment(node.path === '' ? null : node.path, line);
  }

  #inPayment(element: string | null, line: number): BankPlace {
    return { in: 'payment', payment: this.#payments, line, element };
  }

  #takeAmount(text: string, currency: string): void {
    this.#currency = currency;
    const plain = plainDecimal(text);
    this.#own.set('Amt/InstdAmt', [plain]);
    const amount = amountOf(plain);
    const minor = parseMajor(plain, fiat(currency)?.decimals ?? -1);
    if (amount !== null) for (const { sum } of [this.#instruction, this.#message]) sum.add(amount);
    if (amount === null || !minor.ok || fiat(currency) === null) this.#hasAllTotals = false;
    else this.#totals.set(currency, (this.#totals.get(currency) ?? 0n) + minor.minor);
  }

  #pay(): void {
    this.#instruction.count++;
    this.#message.count++;
    const texts = { own: this.#own, above: this.#above, currency: this.#currency, message: this.#name };
    const { cells, notes } = paymentCells(texts);
    const placed = notes.map((note: ElementNote): RowNote => {
      const { element, ...rest } = note;
      return { ...rest, place: this.#inPayment(element ?? null, this.#line) };
    });
    this.output.row(this.#payments, cells, this.#line, [...this.#notes, ...placed]);
  }

  /** The figures of a part against the payments in it. */
  #compare(part: string, { count, sum, stated }: Counted): void {
    const number = stated.get('NbOfTxs');
    if (number !== undefined && wholeNumber(number.text) !== BigInt(count))
      this.#differs(`${part}/NbOfTxs`, number, String(count));
    const control = stated.get('CtrlSum');
    if (control !== undefined && !sum.isStated(control.text)) this.#differs(`${part}/CtrlSum`, control, sum.text);
  }

  #differs(element: string, { text, line }: Stated, found: string): void {
    const what = fault('control_figure_differs', { figure: element, isField: false, stated: text, found });
    this.output.problem('error', what, { place: { in: 'element', element, line }, value: text });
  }

  #stopAt(what: Fault | null): void {
    if (what === null) return;
    const { line } = this.#xml;
    const { node } = this.#elements;
    const isInPayment = node.isInPayment && this.#payments > 0;
    const element = node.path === '' ? node.name : node.path;
    const place: BankPlace = isInPayment
      ? this.#inPayment(node.path === '' ? null : node.path, line)
      : { in: 'element', element, line };
    this.output.stop(what, { place });
  }
}

/** Null where it is no whole number. */
function wholeNumber(text: string): bigint | null {
  return /^\d+$/.test(text) ? BigInt(text) : null;
}
