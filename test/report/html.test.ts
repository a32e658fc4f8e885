import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry, RunRow } from '../../src/domain/entry.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { NOTHING_SINCE } from '../../src/domain/run/since.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { htmlReport } from '../../src/report/html/html.ts';
import { ROWS_SHOWN_MAX } from '../../src/report/html/html-rows.ts';
import type { Report, ReportedApproval } from '../../src/report/model/report.ts';
import { reportRows } from '../../src/report/model/rows.ts';
import { sumsOf } from '../../src/report/model/totals.ts';
import {
  accepted,
  completed,
  everyState,
  exampleRun,
  final,
  intent,
  JPY,
  payoutRow,
  problemRow,
  RUN_ID,
} from './example-run.ts';
import { type Element, elementsOf } from './page.ts';

const FACTS: Omit<Report, 'run' | 'sums'> = {
  head: { n: 1_203, hash: '0123456789abcdef'.repeat(4) },
  version: '1.2.3',
  retriedBy: [],
  since: NOTHING_SINCE,
  approvals: [],
  command: plainCommand,
};

function pageOf(run: RunState, facts: Partial<Report> = {}): string {
  const text = htmlReport({ run, sums: () => sumsOf(run), ...FACTS, ...facts });
  let page = [...text.start()].join('');
  for (const row of reportRows(run)) page += text.row(row);
  return page + text.end;
}

function all(elements: readonly Element[], name: string, className?: string): Element[] {
  return elements.filter(
    (element) =>
      element.name === name &&
      (className === undefined || (element.attributes.get('class') ?? '').split(' ').includes(className)),
  );
}

function words(page: string): string {
  const [body] = all(elementsOf(page), 'body');
  return (body?.text ?? '').replace(/\s+/g, ' ');
}

/** What stands in one row of a table. */
function cellsOf(page: string, beginning: string): string[] {
  const row = page.split('<tr').find((part) => part.includes(beginning)) ?? '';
  return Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g), (found) => (found[1] ?? '').replace(/<[^>]*>/g, ''));
}

describe('the page', () => {
  const page = pageOf(everyState());
  const elements = elementsOf(page);

  test('has every element closed, and each id once', () => {
    const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names nothing that is not on it', () => {
    const ids = new Set(elements.flatMap(({ attributes }) => attributes.get('id') ?? []));
    const named = elements.flatMap(({ attributes }) => [
      ...(attributes.get('aria-labelledby') ?? '').split(' ').filter(Boolean),
      ...(attributes.has('href') ? [attributes.get('href')?.slice(1) ?? ''] : []),
    ]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('loads nothing and runs nothing', () => {
    const names = new Set(elements.map(({ name }) => name));
    for (const name of ['script', 'link', 'img', 'iframe', 'object', 'form', 'base']) expect(names).not.toContain(name);
    const attributes = elements.flatMap(({ attributes }) => [...attributes.keys()]);
    expect(attributes.filter((name) => name === 'style' || name === 'src' || name.startsWith('on'))).toEqual([]);
    expect(page).not.toMatch(/https?:|url\((?!#)|@import/);
  });

  test('allows itself one style, which is its own', () => {
    const styles = all(elements, 'style');
    expect(styles).toHaveLength(1);
    const hash = createHash('sha256')
      .update(styles[0]?.text ?? '')
      .digest('base64');
    const policy = elements.find(({ attributes }) => attributes.get('http-equiv') === 'Content-Security-Policy');
    expect(policy?.attributes.get('content')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
  });

  test('can be heard: a language, a title, one main part and one first heading, tables with a caption and headers', () => {
    expect(all(elements, 'html')[0]?.attributes.get('lang')).toBe('en');
    expect(all(elements, 'title')[0]?.text).toBe(`Paid 1 of 9 payouts (${RUN_ID})`);
    expect(all(elements, 'main')).toHaveLength(1);
    expect(all(elements, 'h1')).toHaveLength(1);
    const tables = all(elements, 'table');
    expect(tables.length).toBeGreaterThan(2);
    expect(all(elements, 'caption')).toHaveLength(tables.length);
    const headers = all(elements, 'th');
    expect(headers.filter(({ attributes }) => !/^(?:col|row)$/.test(attributes.get('scope') ?? ''))).toEqual([]);
    for (const svg of all(elements, 'svg'))
      if (svg.attributes.has('class')) expect(svg.attributes.get('role')).toBe('img');
  });

  test('says first what became of the run, then what needs a person, what was not paid, the figures, and all rows', () => {
    const headings = elements.filter(({ name }) => name === 'h1' || name === 'h2').map(({ text }) => text);
    expect(headings).toEqual([
      'Paid 1 of 9 payouts',
      'Needs you',
      'Outcomes',
      'Progress, in UTC',
      'Not paid, and what to do',
      'Totals',
      'Fees',
      'Approvals',
      'All rows',
      'Proof',
    ]);
  });

  test('has the whole commands for a doubt, and what each risks', () => {
    const text = words(page);
    expect(text).toContain(`payrun resolve ${RUN_ID} 9 --not-sent`);
    expect(text).toContain('If it was sent after all, Payee 9 is paid twice.');
  });

  test('has its journal head, and the command that compares', () => {
    const text = words(page);
    expect(text).toContain(FACTS.head.hash);
    expect(text).toContain(`payrun verify ${RUN_ID}`);
  });
});

describe('a rehearsal', () => {
  const rows = [payoutRow(2), payoutRow(3)];

  test('says so before everything else, and nowhere that anybody was paid', () => {
    const page = pageOf(exampleRun(rows, [...completed(2), ...completed(3)], { rehearsal: true }));
    const [band] = all(elementsOf(page), 'p');
    expect(band?.text).toBe('REHEARSAL: no money moves');
    expect(band?.attributes.get('class')).toBe('band');
    expect(words(page)).toContain('Rehearsal: all 2 payouts completed');
    expect(words(page)).not.toMatch(/\bPaid\b/);
    expect(words(page).match(/REHEARSAL/g)).toHaveLength(1);
  });

  test('has no band where money moves', () => {
    const page = pageOf(exampleRun(rows, completed(2)));
    expect(all(elementsOf(page), 'p', 'band')).toEqual([]);
    expect(words(page)).not.toContain('REHEARSAL');
  });
});

describe('what others wrote', () => {
  test('is text and never markup, and its directions of writing are shown', () => {
    const name = '<img src=x onerror=alert(1)> & "Sons" \u202Egnp.exe';
    const row = payoutRow(2);
    if (row.order) row.order.payee.name = name;
    const failed: Entry[] = [
      intent(2),
      accepted(2),
      final(2, { status: 'FAILED', code: '<b>', message: '</td><script>alert(2)</script>' }),
    ];
    const page = pageOf(exampleRun([row, problemRow(3, ['</table>', '1', 'AUD', '12345678', ''])], failed));
    const text = words(page);
    expect(text).toContain('<img src=x onerror=alert(1)> & "Sons" \uFFFDgnp.exe');
    expect(text).toContain('</td><script>alert(2)</script>');
    expect(text).toContain('</table>');
    expect(page).not.toMatch(/<script|<img/);
  });

  test('never breaks the page', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(anyText, anyText, anyText, (name, code, message) => {
        const row = payoutRow(2);
        if (row.order) row.order.payee.name = name;
        const run = exampleRun(
          [row, problemRow(3, [name, message, 'AUD', '12345678', code], { code, message })],
          [intent(2), accepted(2), final(2, { status: 'FAILED', code, message })],
        );
        expect(elementsOf(pageOf(run)).length).toBeGreaterThan(50);
      }),
      { numRuns: 25 },
    );
  });

  test('has its account numbers masked, wherever somebody has copied them to', () => {
    const account = '4024007142531786';
    const spaced = '4024 0071 4253 1786';
    const rows: RunRow[] = [2, 3, 4].map((row) => payoutRow(row, { account }));
    for (const { order } of rows) if (order) order.payee.name = `Payee ${spaced}`;
    rows.push(
      problemRow(5, [`Payee ${account}`, account, 'AUD', account, ''], {
        code: 'bad',
        message: `The cell says ${spaced}.`,
      }),
    );
    const page = pageOf(
      exampleRun(rows, [
        ...completed(2),
        intent(3),
        accepted(3),
        final(3, { status: 'FAILED', code: 'ACCOUNT_CLOSED', message: `The account ${account} is closed.` }),
        intent(4),
        { kind: 'doubt', row: 4, attempt: 1, reason: `the answer was about ${spaced}` },
      ]),
    );
    expect(page.replace(/[\s-]/g, '')).not.toContain(account);
    expect(page.match(/••••1786/g)?.length).toBeGreaterThan(8);
  });
});

describe('what was not paid', () => {
  test('is told by reason, with the rows, what to do, and each command once', () => {
    const rows = [2, 3, 4, 5].map((row) => payoutRow(row));
    const page = pageOf(
      exampleRun(rows, [
        ...completed(2),
        ...[3, 4].flatMap((row): Entry[] => [
          intent(row),
          accepted(row),
          final(row, { status: 'FAILED', code: 'ACCOUNT_CLOSED', message: 'The destination account is closed.' }),
        ]),
        intent(5),
        { kind: 'rejected', row: 5, attempt: 1, code: 'BAD_REQUEST', message: 'Not payable.' },
        { kind: 'finished', counts: { completed: 1, failed: 2, rejected: 1, unresolved: 0, not_submitted: 0 } },
      ]),
    );
    const [, section = ''] = words(page).split('Not paid, and what to do');
    expect(section).toMatch(/failed ACCOUNT_CLOSED 2 payoutsThe destination account is closed\.Row 3 Payee 3/);
    expect(section).toContain('Ask the payee for another account, through a channel you already know');
    expect(section).toMatch(/rejected BAD_REQUEST 1 payoutNot payable\./);
    expect(page.split(`<code class="command">payrun retry ${RUN_ID}</code>`)).toHaveLength(2);
  });

  test('sends nobody to retry a run before it is finished', () => {
    const page = pageOf(everyState());
    expect(page).not.toContain('payrun retry');
    expect(words(page)).toContain('The run has to be finished before they are retried.');
  });

  test('names the runs that retry it', () => {
    const page = pageOf(everyState(), { retriedBy: ['R20261126-AAAAAAAA'] });
    expect(words(page)).toContain('Rows of this run were planned again in R20261126-AAAAAAAA');
  });
});

describe('the figures', () => {
  test('are per currency and rail', () => {
    const rows = [payoutRow(2), payoutRow(3), payoutRow(4, { amountMinor: '190000', currency: JPY })];
    const page = pageOf(exampleRun(rows, [...completed(2), ...completed(4, { amountMinor: '190000', currency: JPY })]));
    expect(cellsOf(page, '>AUD</th>')).toEqual(['AUD', 'AUD_NPP', '2', '1', '2,500.00', '1,250.00']);
    expect(cellsOf(page, '>JPY</th>')).toEqual(['JPY', 'AUD_NPP', '1', '1', '190,000', '190,000']);
    expect(words(page)).toContain('Fees of completed payouts, in the currency sentCurrencyCompletedFeesAUD10.35JPY135');
  });

  test('of the approvals are who, when and how', () => {
    const approval: ReportedApproval = {
      approver: 'Anna Berg',
      by: 'anna@desk-7',
      public_key: 'JrQLj5P_89iXES9',
      signed_at: '2026-11-25T08:41:07.123Z',
      expires_at: '2026-11-26T08:41:07.123Z',
      signature: 'x',
      counts: false,
      why_not: 'expired',
    };
    const page = pageOf(everyState(), { approvals: [approval] });
    expect(cellsOf(page, 'Anna Berg')).toEqual([
      'Anna Berg',
      '2026-11-25 08:41:07 UTC',
      'anna@desk-7',
      'JrQLj5P_89iXES9',
      'no: it has expired',
    ]);
  });
});

describe('the rows', () => {
  test('are those of the file, in its order', () => {
    const page = pageOf(everyState());
    const rows = Array.from(page.matchAll(/class="at">(\d+)</g), (found) => Number(found[1]));
    expect(rows).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(cellsOf(page, 'class="at">6<')).toEqual([
      '6',
      'Payee 6',
      'AUD_NPP ••••4321',
      '1,250.00 AUD',
      '0.35 AUD',
      'completed',
      '2026-11-25 09:00:00',
      'tx_6 ',
    ]);
    expect(cellsOf(page, 'class="at">9<').at(-1)).toBe('In doubt: see above');
    expect(cellsOf(page, 'class="at">10<')).toEqual([
      '10',
      'Payee 10',
      '',
      'lots AUD',
      '',
      'not submitted',
      '',
      'The amount is not a number.',
    ]);
  });

  test('that are too many for a page are those that are not completed, and what there is room for', () => {
    const total = ROWS_SHOWN_MAX + 10;
    const rows = Array.from({ length: total }, (_, at) => payoutRow(at + 2));
    const last = total + 1;
    const entries: Entry[] = [
      ...rows.slice(0, -1).flatMap(({ row }) => completed(row)),
      intent(last),
      accepted(last),
      final(last, { status: 'FAILED', code: 'ACCOUNT_CLOSED', message: 'Closed.' }),
    ];
    const page = pageOf(exampleRun(rows, entries));
    expect(page.match(/class="at">/g)).toHaveLength(ROWS_SHOWN_MAX);
    expect(cellsOf(page, `class="at">${last}<`).at(5)).toBe('failed');
    expect(words(page)).toContain(
      'Of 5,010 rows this page shows all 1 row not completed and the first 4,999 completed ones, so that it stays quick. All of them stand in report.csv and report.xlsx, with every column of the file.',
    );
  });
});
