import type { Doubt } from '../../../domain/outcomes/doubt.ts';
import type { Decision } from '../../../domain/outcomes/resolve-outcome.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { doubtLines } from '../../../messages/report/doubt-lines.ts';
import { printable } from '../../../messages/text.ts';
import type { Io } from '../../terminal.ts';
import { verdictText } from './options.ts';

/**
 * Shows the doubt and what the word risks, and asks. Throws a Refusal (`refused`) where the answer is no, and without a
 * terminal, where a question is a refusal.
 */
export async function askAbout(
  io: Io,
  { yes, command }: { yes: boolean; command: CommandLine },
  doubt: Doubt,
  verdict: Decision,
): Promise<void> {
  if (yes) return;
  const { row, payee } = doubt;
  const risk =
    verdict.kind === 'sent'
      ? `If ${verdict.transactionId} is another payment, ${payee} is not paid.`
      : `If it was sent after all, ${payee} is paid twice.`;
  if (!io.isInteractive) {
    const remedy = 'Without a terminal, confirm with --yes.';
    throw new Refusal('refused', printable(`Not confirmed: row ${row}. ${risk} Nothing was recorded.`), remedy);
  }
  io.stderr(`${doubtLines(doubt, command).map(printable).join('\n')}\n\n${printable(risk)}\n`);
  const answer = await io.ask(`Type ${row} to record that row ${row} was ${verdictText(verdict)}: `);
  if (answer?.trim() === String(row)) return;
  throw new Refusal('refused', 'Not confirmed. Nothing was recorded.', 'Run it again and type the number of the row.');
}
