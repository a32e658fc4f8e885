import { TimeSlice } from '../../app/background/time-slice.ts';
import type { BookedPayee, PayeeBook } from '../../app/payees/payee-book.ts';
import type { Person } from '../../app/people/people.ts';
import { counted } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { within } from '../../platform/clock.ts';
import type { Dependencies } from '../parts.ts';
import { html } from '../shell/html.ts';
import { answer, patienceMs } from '../shell/layout.ts';
import { waitingPart } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext } from '../web.ts';

/** How long a book is used again where something was written since. */
const FRESH_MS = 15_000;
/** How long it is used while a new one is made. */
const KEPT_MS = 60_000;
/** What was written in the moment in which a book was made may not be in it. */
const SURE_AFTER_MS = 1_000;

/** `entryAt` is when the last entry was written that is in it for sure. */
type Kept = { book: PayeeBook; madeAt: number; entryAt: number | null };

/** No time at which anything was written. */
const UNSURE = -1;

/** The payees of the newest runs, gathered when somebody looks. */
class PayeeBooks {
  readonly #deps: Pick<Dependencies, 'reads' | 'clock'>;
  #kept: Kept | null = null;
  #making: Promise<PayeeBook> | null = null;

  constructor(deps: Pick<Dependencies, 'reads' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * The book, a minute old at most while runs go on; null where it is still being made after `waitMs`. One that is not
   * `isEnough`, as without a payee whose first payment has just begun, is made anew where something was written since.
   */
  async look(waitMs: number, isEnough: (book: PayeeBook) => boolean = () => true): Promise<PayeeBook | null> {
    const { clock, reads } = this.#deps;
    const ageMs = clock.monotonicMs() - (this.#kept?.madeAt ?? 0);
    const kept = this.#kept;
    const isFresh = kept !== null && ageMs < (isEnough(kept.book) ? FRESH_MS : SURE_AFTER_MS);
    if (kept !== null && (isFresh || kept.entryAt === (await reads.newestEntryAt()))) return kept.book;
    // Another look may have brought a newer one meanwhile.
    if (kept !== null && this.#kept !== null && this.#kept !== kept) return this.#kept.book;
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    // Where the making fails, those who wait get the error; those who have the old one look again.
    if (kept !== null && ageMs < KEPT_MS && isEnough(kept.book)) this.#making.catch(() => {});
    else this.#kept = null;
    return this.#kept?.book ?? within(clock, waitMs, this.#making);
  }

  async #make(): Promise<PayeeBook> {
    const { clock, reads } = this.#deps;
    const entryAt = await reads.newestEntryAt();
    const isSure = entryAt === null || entryAt < clock.wallMs() - SURE_AFTER_MS;
    const book = await reads.payees(new TimeSlice(clock));
    this.#kept = { book, madeAt: clock.monotonicMs(), entryAt: isSure ? entryAt : UNSURE };
    return book;
  }
}

const BOOKS = new WeakMap<Web, PayeeBooks>();

/** The book of a page as a person sees it: each page has one. Null as in `look`. */
export async function bookFor(
  web: Web,
  person: Person,
  waitMs: number,
  isEnough?: (book: PayeeBook) => boolean,
): Promise<PayeeBook | null> {
  const books = BOOKS.get(web) ?? new PayeeBooks(web.deps);
  BOOKS.set(web, books);
  const book = await books.look(waitMs, isEnough);
  return book && web.sight.of(person).book(book);
}

/** A page that shows the book, and its place in the navigation. */
type BookPage = { title: string; here: 'recipients' | 'reports' };

/** Hands the payees of the newest runs to `show`; while they are gathered, the page asks again. */
export function onBook(
  { title, here }: BookPage,
  show: (context: WebContext, book: PayeeBook) => Response | Promise<Response>,
) {
  return async (context: WebContext): Promise<Response> => {
    const { web, person } = signedIn(context);
    const id = context.req.param('id');
    const hasPayee = ({ byId }: PayeeBook) => id === undefined || byId.has(id);
    const book = await bookFor(web, person, patienceMs(context), hasPayee);
    if (book !== null) return show(context, book);
    const { pathname, search } = new URL(context.req.url);
    const hint = t`Recipients and their accounts come from the newest of them.`;
    const body = html`<h1>${title}</h1>${waitingPart(`${pathname}${search}`, t`Reading the runs …`, hint)}`;
    return answer(context, { title, here, asksAgain: true, body });
  };
}

export const NO_SUCH_PAYEE = textTable({
  status: 404,
  message: 'There is no such recipient in the newest payments.',
  remedy: 'Look for them under Recipients.',
});

/** The payee that an address names; undefined where none is in the book. */
export function payeeIn(context: WebContext, { byId }: PayeeBook): BookedPayee | undefined {
  return byId.get(context.req.param('id') ?? '');
}

/** What was read is not all there ever was. */
export function readWords({ runs, isWhole, damaged }: PayeeBook): string {
  const without = damaged === 0 ? '' : t` ${counted(damaged, 'run')} cannot be read.`;
  return `${isWhole ? t`From all runs.` : t`From the newest ${counted(runs, 'run')}; older ones are not included.`}${without}`;
}
