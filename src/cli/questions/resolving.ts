import type { Doubt } from '../../domain/outcomes/doubt.ts';
import type { Decision } from '../../domain/outcomes/resolve-outcome.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { printable } from '../../messages/text.ts';
import type { Given } from '../command.ts';
import type { Io } from '../terminal.ts';

/** Longer ids than any service gives. */
const TRANSACTION_ID_MAX = 200;

/**
 * Exactly one of `--sent TX` and `--not-sent`, never from the environment: it is about one row. Throws a `Refusal`
 * (`resolution_unclear`).
 */
export function verdictOf({ sent, notSent }: Given): Decision {
  if ((sent !== undefined) === (notSent === true))
    throw new Refusal({ code: 'resolution_unclear', why: sent === undefined ? 'none' : 'both' });
  if (sent === undefined) return { kind: 'not_sent' };
  const transactionId = String(sent).trim();
  if (transactionId === '' || transactionId.length > TRANSACTION_ID_MAX)
    throw new Refusal({ code: 'resolution_unclear', why: 'no_transaction' });
  return { kind: 'sent', transactionId };
}

/** The row that is named. Throws a `Refusal` (`not_a_row`). */
export function rowOf(given: unknown): number {
  const text = String(given);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Refusal({ code: 'not_a_row', given: text });
}

/** `sent, as tx_42`, or `not sent`. */
export function resolutionText(verdict: Decision): string {
  return verdict.kind === 'sent' ? `sent, as ${printable(verdict.transactionId)}` : 'not sent';
}

/**
 * Shows the doubt and what a person risks, and asks. Throws a `Refusal` (`resolution_not_confirmed`) where the answer is no,
 * and without a terminal, where a question is a refusal.
 */
export async function askToResolve(
  io: Io,
  { yes, command }: { yes: boolean; command: CommandLine },
  doubt: Doubt,
  verdict: Decision,
): Promise<void> {
  if (yes) return;
  const { row, payee } = doubt;
  const asked = { row, payee, verdict };
  if (!io.isInteractive) throw new Refusal({ code: 'resolution_not_confirmed', asked });
  io.stderr(
    `${messages.doubts.doubtLines(doubt, command).map(printable).join('\n')}\n\n${printable(messages.doubts.riskText(asked))}\n`,
  );
  const answer = await io.ask(`Type ${row} to record that row ${row} was ${resolutionText(verdict)}: `);
  if (answer?.trim() !== String(row)) throw new Refusal({ code: 'resolution_not_confirmed', asked: null });
}
