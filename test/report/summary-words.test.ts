import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import type { OutcomeWhy } from '../../src/domain/outcomes/payout-outcome.ts';
import { PLAN_VERSION, type PlanFacts } from '../../src/domain/plan.ts';
import { applyToRun } from '../../src/domain/run/run.ts';
import { RunState } from '../../src/domain/run/run-state.ts';
import type { Since, SinceOfRun } from '../../src/domain/run/since.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { actText, adviceText, outcomeText } from '../../src/messages/report/outcome-words.ts';
import { paceTexts } from '../../src/messages/report/pace-words.ts';
import { durationText, headlineText, leadText } from '../../src/messages/report/summary-words.ts';
import { listed } from '../../src/messages/text.ts';
import { loadTranslations } from '../../src/messages/translations.ts';
import { ANYBODY, asViewer } from '../../src/messages/viewer.ts';
import { progressPoints } from '../../src/report/model/progress.ts';
import { headlineOf, leadOf } from '../../src/report/model/summary.ts';
import { feesOf, railTotalsOf, ratesOf } from '../../src/report/model/totals.ts';
import { unpaidGroups } from '../../src/report/model/unpaid.ts';
import { sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { englishIn } from '../support/translations/left-in-english.ts';
import { speakPseudo } from '../support/translations/pseudo.ts';
import {
  AUD,
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
  STARTED_AT,
} from './example-run.ts';

const headline = (run: RunState) => headlineText(headlineOf(run));
const lead = (run: RunState, since?: SinceOfRun) => leadOf(run, since).map(leadText);

const textOf = (why: OutcomeWhy) => outcomeText(why, 'payrun resume');

const FINISHED: Entry = {
  kind: 'finished',
  counts: { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 },
};

const rows = [2, 3, 4].map((row) => payoutRow(row));
const failed = (row: number): Entry[] => [intent(row), accepted(row), final(row, { status: 'FAILED' })];

describe('the headline', () => {
  test.each<[string, Entry[], boolean, string]>([
    ['all', rows.flatMap(({ row }) => completed(row)), false, 'Paid all 3 payouts'],
    ['some', completed(2), false, 'Paid 1 of 3 payouts'],
    ['none', failed(2), false, 'Paid none of 3 payouts'],
    ['all in a rehearsal', rows.flatMap(({ row }) => completed(row)), true, 'Rehearsal: all 3 payouts completed'],
    ['some in a rehearsal', completed(2), true, 'Rehearsal: 1 of 3 payouts completed'],
  ])('says how many were paid: %s', (_which, entries, rehearsal, words) => {
    expect(headline(exampleRun(rows, [...entries, FINISHED], { rehearsal }))).toBe(words);
  });

  test('of one payout is of the payout', () => {
    expect(headline(exampleRun([payoutRow(2)], completed(2)))).toBe('Paid the payout');
  });
});

describe('the words under it', () => {
  test('say first what needs a person, then what is open, not paid, and sent', () => {
    expect(lead(everyState())).toEqual([
      '3 need you: do not pay them by other means until their outcome is known.',
      '1 is not final yet.',
      'The run is not finished.',
      '1 failed, 1 was rejected and 2 were not submitted: what to do about each is below.',
      '2,500.00 AUD was sent.',
    ]);
  });

  test('say what became since of what was not paid, and call only to what is left', () => {
    const paid: Since = { runId: 'R20261126-AAAAAAAA', standing: 'paid', at: STARTED_AT };
    const run = exampleRun(rows, [...rows.flatMap(({ row }) => failed(row)), FINISHED]);
    const later = (entries: [number, Since][]) => ({ rows: new Map(entries), asOf: STARTED_AT });
    expect(lead(run, later([[2, paid]]))).toEqual(['3 failed, 1 paid since. What to do about the other 2 is below.']);
    const planned: Since = { ...paid, standing: 'planned', at: null };
    const left = later([
      [2, paid],
      [3, planned],
    ]);
    expect(lead(run, left)[0]).toBe(
      '3 failed, 1 paid since, 1 is in another plan. What to do about the other one is below.',
    );
    expect(unpaidGroups(run, textOf, left).groups).toMatchObject([
      { since: null, payouts: 1, first: [{ row: 4, since: null }], remedy: { acts: [{}, {}] } },
      { since: 'paid', first: [{ row: 2, since: paid }], remedy: { advice: null, acts: [] } },
      { since: 'planned', first: [{ row: 3, since: planned }], remedy: { advice: null, acts: [] } },
    ]);
    const all = later(rows.map(({ row }) => [row, paid]));
    expect(lead(run, all)).toEqual(['3 failed, all paid since.']);
  });

  test('of a run without trouble are what was sent, and how long it took', () => {
    const yen = payoutRow(3, { amountMinor: '190000', currency: JPY });
    const entries = [...completed(2), ...completed(3, { amountMinor: '190000', currency: JPY }), FINISHED];
    expect(lead(exampleRun([payoutRow(2), yen], entries))).toEqual([
      '1,250.00 AUD and 190,000 JPY were sent, in less than a second.',
    ]);
    expect(lead(exampleRun([payoutRow(2)], [...completed(2), FINISHED], { rehearsal: true }))).toEqual([
      '1,250.00 AUD was sent in the rehearsal, in less than a second.',
    ]);
  });

  test('of a plan that nobody started name who ended it and why, and nothing of a run', () => {
    const ended = (end: object): string[] => {
      const header = sampleHeader(RUN_ID);
      const entries = [
        header,
        sampleRows(2),
        { kind: 'planned', plan: samplePlan(header) },
        { kind: 'cancelled', by: 'anna', ...end },
      ];
      const run = new RunState();
      for (const entry of entries as Entry[]) applyToRun(run, entry, 0);
      const texts = unpaidGroups(run, textOf).groups.map(({ message }) => message);
      return [headline(run), ...lead(run), ...texts];
    };
    const why = 'Bea Ortiz rejected the plan: “Wrong month”';
    const planned = 'Planned: 2 payouts, none sent';
    const plan_end = { as: 'rejected', person: 'Bea Ortiz', reason: 'Wrong month' };
    expect(ended({ plan_end })).toEqual([planned, why, why]);
    expect(ended({})).toEqual([
      planned,
      'The plan was discarded before it started.',
      'The plan was cancelled before it started.',
    ]);
  });

  test('of a cancelled run say that nothing more is sent', () => {
    const words = lead(exampleRun(rows, [...completed(2), { kind: 'cancelled', by: 'anna' }]));
    expect(words).toContain('The run was cancelled. Nothing more is sent.');
    expect(words).toContain('2 are not final yet.');
  });
});

test.each([
  [0, 'less than a second'],
  [999, 'less than a second'],
  [1_000, '1 s'],
  [413_000, '6 min 53 s'],
  [3_600_000, '1 h'],
  [3_660_000, '1 h 1 min'],
  [90_061_000, '1 d 1 h'],
])('%i ms are %s', (ms, words) => {
  expect(durationText(ms)).toBe(words);
});

test('durations of any length, and the pace, are in the language of the reader', () => {
  loadTranslations();
  const spans = [500, 59_000, 63_000, 11_000_000, 190_000_000];
  const inFrench = asViewer({ ...ANYBODY, language: 'fr' }, () => spans.map(durationText));
  expect(inFrench).toEqual(['moins d’une seconde', '59 s', '1 min 3 s', '3 h 3 min', '2 j 4 h']);
  const pace = () => paceTexts({ perSecond: 3.5, secondsLeft: null });
  expect(asViewer({ ...ANYBODY, language: 'de' }, pace)).toEqual(['3,5/s']);
  // A run can take more than a minute on a busy machine, so every unit must be translatable.
  speakPseudo('de');
  const left = asViewer({ ...ANYBODY, language: 'de' }, () => spans.map((ms) => englishIn(durationText(ms), {})));
  expect(left.join('')).toBe('');
});

test.each<[string[], string]>([
  [[], ''],
  [['a'], 'a'],
  [['1,000 a', '2,000 b'], '1,000 a and 2,000 b'],
  [['a', 'b', '1,000 c'], 'a, b and 1,000 c'],
])('%j are %s', (words, text) => {
  expect(listed(words)).toBe(text);
});

describe('progress', () => {
  test('counts what was sent and what had its outcome, from the start of the run to the last of these', () => {
    const points = progressPoints(exampleRun(rows, [...completed(2), ...failed(3), intent(4)]));
    expect(points[0]).toEqual({ at: STARTED_AT + 1, sent: 0, finished: 0 });
    expect(points.at(-1)).toEqual({ at: STARTED_AT + 9, sent: 3, finished: 2 });
    expect(points.map(({ at }) => at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((ms) => STARTED_AT + ms));
    expect(points.map(({ sent }) => sent)).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3]);
    expect(points.map(({ finished }) => finished)).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2]);
  });

  test('of many payouts has as many points as can be seen, and loses none', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => payoutRow(at + 2));
    const points = progressPoints(
      exampleRun(
        many,
        many.flatMap(({ row }) => completed(row)),
      ),
    );
    expect(points).toHaveLength(241);
    expect(points.at(-1)).toMatchObject({ sent: 2_000, finished: 2_000 });
  });

  test('of nothing that was sent is nothing', () => {
    expect(progressPoints(exampleRun(rows))).toEqual([]);
  });
});

describe('totals per currency and rail', () => {
  test('leave out rows with problems, and what failed is not sent', () => {
    const run = exampleRun(
      [...rows, problemRow(5, ['x', 'lots', 'AUD', '12345678', ''])],
      [...completed(2), ...failed(3)],
    );
    expect(railTotalsOf(run)).toEqual([
      { currency: 'AUD', rail: 'AUD_NPP', payouts: 3, completed: 1, planned: '3750.00', sent: '1250.00' },
    ]);
    expect(feesOf(run)).toEqual([{ currency: 'AUD', payouts: 1, fees: '0.35', planned: null }]);
    expect(ratesOf(run)).toEqual([]);
  });

  test('put an account that the file names under no rail', () => {
    const row = payoutRow(2);
    if (row.order) row.order.destination = { kind: 'existing', external_account_id: 'acc_9' };
    expect(railTotalsOf(exampleRun([row, payoutRow(3)])).map(({ rail }) => rail)).toEqual([null, 'AUD_NPP']);
  });
});

describe('a run that was planned with conversions', () => {
  const pair = {
    source: JPY,
    currency: AUD,
    payouts: 2,
    planned_minor: '250000',
    quoted_minor: '240000',
    sent_minor: '240001',
    fees_minor: '300',
  };
  const plan: PlanFacts = {
    version: PLAN_VERSION,
    run_id: RUN_ID,
    job: null,
    period: null,
    scope: 'rehearsal',
    rehearsal: false,
    input_sha256: 'ab'.repeat(32),
    payouts: 3,
    totals: [{ currency: AUD, payouts: 3, planned_minor: '375000', fees_minor: null }],
    conversions: { pairs: [pair], ceilings: { payout_bps: 50, run_bps: 50 } },
    payees: null,
    warnings: 0,
    limits: null,
    cooling_off: [],
    approval: null,
    repeat_window_ms: null,
  };
  const planned: Entry = { kind: 'planned', plan };
  const started: Entry = { kind: 'started', by: 'anna@desk-7' };
  const converted: Entry[] = [
    { ...intent(2, { amountMinor: '120001', currency: JPY }), received: { amount_minor: '125000', currency: AUD } },
    accepted(2),
    final(2, { sent_minor: '120001', sent_currency: JPY, fees_minor: '150' }),
  ];

  test('has the rate of the plan and the one that was paid, and what was planned for fees', () => {
    const run = exampleRun(rows, [planned, started, ...converted]);
    expect(ratesOf(run)).toEqual([{ from: 'JPY', to: 'AUD', planned: '0.01041666', paid: '0.01041657' }]);
    expect(feesOf(run)).toEqual([{ currency: 'JPY', payouts: 1, fees: '150', planned: '300' }]);
  });

  test('has no rate that was paid before anything was sent, and its headline says that nothing was', () => {
    const run = exampleRun(rows, [planned]);
    expect(ratesOf(run)).toMatchObject([{ paid: null }]);
    expect(headline(run)).toBe('Planned: 3 payouts, none sent');
    expect(lead(run)).toEqual([]);
  });

  test('does not know what fees were planned where the service did not say', () => {
    const run = exampleRun(rows, [planned, started, ...completed(3)]);
    expect(feesOf(run)).toEqual([{ currency: 'AUD', payouts: 1, fees: '0.35', planned: null }]);
  });
});

describe('what to do about a payout that is not paid', () => {
  const commands = { retry: `payrun retry ${RUN_ID}`, corrected: `payrun retry ${RUN_ID} --from corrected.csv` };
  const failedAs = (code: string): Entry[] => [intent(2), accepted(2), final(2, { status: 'FAILED', code })];

  test.each<[string, Entry[], string, string[]]>([
    ['an account is closed', failedAs('ACCOUNT_CLOSED'), 'another account', [commands.retry, commands.corrected]],
    [
      'a reason is new to us',
      failedAs('SOLAR_FLARE'),
      'Ask the payee or the service what was',
      [commands.retry, commands.corrected],
    ],
    [
      'it was rejected',
      [intent(2), { kind: 'rejected', row: 2, attempt: 1, code: 'X', message: 'No.' }],
      'Correct what the message names',
      [commands.retry, commands.corrected],
    ],
    [
      'it waits for an approval of its own',
      [{ kind: 'not_submitted', row: 2, code: 'cooling_off', message: 'Too few approved it.' }],
      '',
      [commands.retry],
    ],
    [
      'the run was cancelled',
      [{ kind: 'not_submitted', row: 2, code: 'cancelled', message: 'Cancelled.' }],
      'This run sent none of it',
      [`payrun retry ${RUN_ID}`],
    ],
  ])('%s', (_why, entries, advice, expected) => {
    const run = exampleRun([payoutRow(2)], [...entries, FINISHED]);
    const [group] = unpaidGroups(run, textOf).groups;
    expect(group && adviceText(group.remedy)).toContain(advice);
    expect(group?.remedy.acts.map((act) => actText(act, plainCommand).command)).toEqual(expected);
  });

  test('of a row with a problem is to correct it, and never to pay the others again', () => {
    const run = exampleRun([problemRow(2, ['P', 'x', 'AUD', '12345678', ''])], [FINISHED]);
    const [group] = unpaidGroups(run, textOf).groups;
    expect(group).toMatchObject({ status: 'not_submitted', first: [{ row: 2, payee: 'P', amount: null }] });
    expect(group?.remedy).toEqual({ advice: { advice: 'correct_rows' }, mustFinish: false, acts: [] });
  });

  test('of one that is not final yet is to go on', () => {
    const run = exampleRun([payoutRow(2)], [intent(2), accepted(2)]);
    const [group] = unpaidGroups(run, textOf).groups;
    expect(group?.remedy.acts).toEqual([{ act: 'resume', runId: RUN_ID }]);
  });

  test('leaves out what is paid and what is in doubt, and counts what is too much', () => {
    const many = Array.from({ length: 60 }, (_, at) => payoutRow(at + 10));
    const entries = many.flatMap(({ row }): Entry[] => [
      intent(row),
      { kind: 'rejected', row, attempt: 1, code: `X${row}`, message: 'No.' },
    ]);
    const run = exampleRun([payoutRow(2), payoutRow(3), ...many], [...completed(2), intent(3), ...entries]);
    const { groups, others } = unpaidGroups(run, textOf);
    expect(groups).toHaveLength(50);
    expect(others).toBe(10);
    expect(groups.map(({ status }) => status)).not.toContain('completed');
  });
});
