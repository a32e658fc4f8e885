import { describe, expect, test } from 'vitest';
import { askToResolve, rowOf, verdictOf } from '../../src/cli/questions/resolving.ts';
import type { Io } from '../../src/cli/terminal.ts';
import type { Decision } from '../../src/domain/outcomes/resolve-outcome.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { doubtsOf } from '../../src/report/model/doubts.ts';
import { exampleRun, intent, payoutRow } from '../report/example-run.ts';
import { refusedBy } from '../support/refused.ts';

const NOT_SENT: Decision = { kind: 'not_sent' };
const SENT: Decision = { kind: 'sent', transactionId: 't7' };

/** What is asked of a person who types `answer` (null: the input ends), and what was shown before. */
async function asked(
  answer: string | null,
  verdict: Decision,
  options: { isInteractive?: boolean; yes?: boolean } = {},
) {
  const run = exampleRun(
    [payoutRow(2)],
    [
      intent(2),
      { kind: 'doubt', row: 2, attempt: 1, reason: 'the answer was lost (timeout)' },
      { kind: 'unresolved', row: 2, attempt: 1, about: 'no_expiry', reason: 'noted', transactions: [] },
    ],
  );
  const [doubt] = doubtsOf(run);
  if (!doubt) throw new Error('the row is in doubt');
  const shown: string[] = [];
  const questions: string[] = [];
  const io: Io = {
    stdout: (text) => void shown.push(`stdout: ${text}`),
    stderr: (text) => void shown.push(text),
    isInteractive: options.isInteractive ?? true,
    colour: false,
    async ask(question) {
      questions.push(question);
      return answer;
    },
  };
  await askToResolve(io, { yes: options.yes ?? false, command: plainCommand }, doubt, verdict);
  return { shown: shown.join(''), questions };
}

describe('the question before a payout is resolved', () => {
  test('shows the doubt and what the word risks, and takes the number of the row for yes', async () => {
    const { shown, questions } = await asked(' 2 \n', NOT_SENT);
    expect(shown).toMatch(/^row 2, Payee 2: in doubt\n {2}payout {3}1250\.00 AUD to /);
    expect(shown).toMatch(/\n\nIf it was sent after all, Payee 2 is paid twice\.\n$/);
    expect(questions).toEqual(['Type 2 to record that row 2 was not sent: ']);
    const named = await asked('2', SENT);
    expect(named.shown).toMatch(/\n\nIf t7 is another payment, Payee 2 is not paid\.\n$/);
    expect(named.questions).toEqual(['Type 2 to record that row 2 was sent, as t7: ']);
  });

  test.each(['', 'y', 'yes', '22', null])('takes %j for no', async (answer) => {
    await expect(asked(answer, NOT_SENT)).rejects.toMatchObject({
      kind: 'refused',
      reason: { code: 'resolution_not_confirmed', asked: null },
    });
  });

  test('is not asked with --yes, and is a refusal without a terminal', async () => {
    expect(await asked(null, NOT_SENT, { yes: true })).toEqual({ shown: '', questions: [] });
    expect(await refusedBy(asked('2', NOT_SENT, { isInteractive: false }))).toMatchObject({
      kind: 'refused',
      message: 'Not confirmed: row 2. If it was sent after all, Payee 2 is paid twice. Nothing was recorded.',
      remedy: 'Without a terminal, confirm with --yes.',
    });
  });
});

describe('the word about a payout', () => {
  test('is one of --sent TX and --not-sent', () => {
    expect(verdictOf({ sent: ' t7 ' })).toEqual(SENT);
    expect(verdictOf({ notSent: true })).toEqual(NOT_SENT);
    expect(verdictOf({ sent: 't7', notSent: false })).toEqual(SENT);
  });

  test.each([
    [{}, 'none'],
    [{ notSent: false }, 'none'],
    [{ sent: 't7', notSent: true }, 'both'],
    [{ sent: '' }, 'no_transaction'],
    [{ sent: 'x'.repeat(201) }, 'no_transaction'],
  ])('is not %j', (options, why) => {
    const reason = { code: 'resolution_unclear', why };
    expect(() => verdictOf(options)).toThrow(expect.objectContaining({ kind: 'usage', reason }));
  });

  test.each(['three', '0', '-1', '1.5', '1e3', '', ' 2'])('is about a row, and %j is none', (text) => {
    expect(() => rowOf(text)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });
});
