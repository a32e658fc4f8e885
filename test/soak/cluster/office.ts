import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { comeIn, PASSWORD, type Reply, type Roaming, roaming } from '../../web/roaming.ts';
import type { JournalLook } from './journal-look.ts';
import type { Notes } from './notes.ts';
import { type Payroll, totalOf } from './payrolls.ts';

const PREPARER = 'Ben';
const APPROVER = 'Anna';

const LOOK_MS = 400;
const WORK_MAX_MS = 60_000;
const TOLD_MAX = 200;

/** Two people at several pages, each with a browser that goes to another page with each request. */
export class Office {
  readonly #look: JournalLook;
  readonly #notes: Notes;
  readonly #preparer: Roaming;
  readonly #approver: Roaming;

  private constructor(preparer: Roaming, approver: Roaming, look: JournalLook, notes: Notes) {
    this.#preparer = preparer;
    this.#approver = approver;
    this.#look = look;
    this.#notes = notes;
  }

  /** `link` is that of the first person, who invites the two. */
  static async open(ports: readonly number[], link: string, look: JournalLook, notes: Notes): Promise<Office> {
    const administrator = await comeIn(roaming(ports), link, { name: 'Zoe' });
    const invited = async (name: string, role: string): Promise<Roaming> => {
      const { location } = await administrator.post('/people', { name, role });
      const shown = /https:\/\/[^<"]+\/welcome#[\w-]+/.exec((await administrator.get(location)).text)?.[0] ?? '';
      return comeIn(roaming(ports), shown);
    };
    return new Office(await invited(PREPARER, 'preparer'), await invited(APPROVER, 'approver'), look, notes);
  }

  /** Goes on with a payroll, however far it has come, until its run is started and left to workers. False where something came between. */
  async pay(payroll: Payroll): Promise<boolean> {
    try {
      const known = await this.#look.runOf(payroll.sha256);
      if (known?.isStarted) return true;
      const run = known === null ? await this.#plan(payroll) : `/runs/${known.id}`;
      const approval = { total: totalOf(payroll), password: PASSWORD };
      await this.#ask(APPROVER, (browser) => browser.post(`${run}/approve`, approval));
      await this.#ask(PREPARER, (browser) => browser.post(`${run}/start`));
      return await this.#isStarted(payroll);
    } catch (error) {
      this.#notes.message(`page: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  /** Uploads, waits for the check, and plans. Gives the path of the run. */
  async #plan({ file }: Payroll): Promise<string> {
    const text = readFileSync(file, 'utf8');
    await this.#ask(PREPARER, (browser) => browser.get('/'));
    const upload = await this.#preparer.upload(basename(file), text);
    if (!upload.startsWith('/uploads/')) throw new Error('a file was not taken');
    await this.#until(upload, (reply) => reply.text.includes('No problems found'));
    await this.#ask(PREPARER, (browser) => browser.post(`${upload}/plan`));
    const planned = await this.#until(`${upload}/plan`, ({ location, status }) => location !== '' || status === 409);
    if (!planned.location.startsWith('/runs/')) throw new Error(`no plan was made: ${wordsOf(planned)}`);
    return planned.location;
  }

  /** The page has a process that starts it. */
  async #isStarted({ sha256 }: Payroll): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < WORK_MAX_MS / 4; waitedMs += LOOK_MS) {
      if ((await this.#look.runOf(sha256))?.isStarted) return true;
      await sleep(LOOK_MS);
    }
    return false;
  }

  async #until(path: string, when: (reply: Reply) => boolean): Promise<Reply> {
    const untilMs = performance.now() + WORK_MAX_MS;
    for (;;) {
      const reply = await this.#ask(PREPARER, (browser) => browser.get(path));
      if (when(reply)) return reply;
      if (performance.now() > untilMs) throw new Error(`nothing came of it: ${wordsOf(reply)}`);
      await sleep(LOOK_MS);
    }
  }

  /** Rejects where the page could not be asked, or does not know this browser any more; then it signs in. */
  async #ask(name: string, ask: (browser: Roaming) => Promise<Reply>): Promise<Reply> {
    const browser = name === PREPARER ? this.#preparer : this.#approver;
    const reply = await ask(browser);
    if (reply.status === 401 || reply.location.startsWith('/sign-in')) {
      const { status } = await browser.post('/sign-in', { name, password: PASSWORD });
      throw new Error(`signed out, and in again: ${status}`);
    }
    if (reply.status < 500) return reply;
    if (reply.status !== 503) this.#notes.finding(`a page answered with ${reply.status}: ${wordsOf(reply)}`);
    throw new Error(`answered with ${reply.status}`);
  }
}

/** What a page says, without its markup. */
function wordsOf({ status, text }: Reply): string {
  const main = text.slice(Math.max(0, text.indexOf('<main')));
  return `${status} ${main
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, TOLD_MAX)}`;
}
