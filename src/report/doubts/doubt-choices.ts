import type { UnresolvedAbout } from '../../domain/entry.ts';
import { type CommandLine, pageSteps } from '../command-line.ts';

/**
 * Why a person should look at a payout. `open`: sent without an outcome, and not parked yet. `surfaced`: an attempt that
 * was held to have had no effect stands at the service, beside the one that paid the row.
 */
export type DoubtAbout = UnresolvedAbout | 'open' | 'surfaced' | 'refused';

/** What a person can do about a doubt: the whole command, what it does, and what it risks. */
export type Choice = { command: string; does: string; risk: string };

/** Transactions for which the command is written out; where there are more, people put in the one they mean. */
const WRITTEN_OUT_MAX = 3;

/** Stands for the id of a transaction at the service. */
const SOME_TRANSACTION = 'TX';

/** The choices there are, the harmless one first. Each says what it risks: none of them is a way out for free. */
export function choicesOf(
  doubt: {
    runId: string;
    row: number;
    payee: string;
    about: DoubtAbout;
    candidates: readonly string[];
    cancelled: boolean;
  },
  command: CommandLine,
): Choice[] {
  const { runId, row, about, candidates, cancelled } = doubt;
  const resume = command('resume', runId);
  const lookAgain = { command: resume, does: 'Looks at the service again.', risk: 'Risks nothing.' };
  const isFew = candidates.length > 0 && candidates.length <= WRITTEN_OUT_MAX;
  const sent = (isFew ? candidates : [SOME_TRANSACTION]).map((id) => ({
    command: command('resolve', runId, String(row), '--sent', id),
    ...sentWords(doubt, id),
  }));
  const goOn = command === pageSteps ? '“Go on”' : 'resume';
  const notSent = { command: command('resolve', runId, String(row), '--not-sent'), ...notSentWords(doubt, goOn) };
  switch (about) {
    case 'open':
      return [lookAgain];
    case 'no_expiry':
    case 'no_canary':
      // Nothing of a cancelled run is sent again.
      if (cancelled || command === pageSteps) return [lookAgain, ...sent, notSent];
      return [lookAgain, ...sent, notSent, resubmitAbsent(command('resume', runId, '--resubmit-absent'))];
    case 'incomplete':
    case 'candidate':
    case 'old_copy':
    case 'refused':
    case 'mismatch':
    case 'replayed':
    case 'unknown_id':
      return [lookAgain, ...sent, notSent];
    case 'twice':
      return [lookAgain, ...sent];
    case 'surfaced':
      return [];
  }
}

function sentWords({ payee, about }: { payee: string; about: DoubtAbout }, id: string) {
  const which = id === SOME_TRANSACTION ? 'Put in the id of a transaction, and this says that it' : `Says that ${id}`;
  const does = `${which} is this payout. Its amount, currency and account are compared first.`;
  if (about === 'twice') return { does, risk: `The others stay as they are: ${payee} keeps what they paid.` };
  return { does, risk: `If it is another payment, ${payee} is not paid.` };
}

function notSentWords(
  { payee, about, cancelled }: { payee: string; about: DoubtAbout; cancelled: boolean },
  goOn: string,
) {
  const says = {
    old_copy: 'Says that those payments are others',
    mismatch: 'Says that this payout was never made, and that what the service shows is another payment',
  };
  const what = about === 'old_copy' || about === 'mismatch' ? says[about] : NEVER_MADE;
  const risk = `If it was sent after all, the report says that ${payee} was not paid, and it is not so.`;
  if (about === 'refused') return { does: 'Says that those payments are others: it stays refused.', risk };
  if (cancelled) {
    return { does: `${what}. The run is cancelled, so it is not sent again.`, risk };
  }
  const then = about === 'old_copy' ? 'sends this one' : 'sends it again';
  return { does: `${what}; ${goOn} then ${then}.`, risk: `If it was sent after all, ${payee} is paid twice.` };
}

const NEVER_MADE = 'Says that it was never made, unless the service shows it';

function resubmitAbsent(command: string): Choice {
  return {
    command,
    does: "Looks again, and sends again every payout in doubt of this run that is not in the service's list.",
    risk: 'Each that was made after all is paid twice.',
  };
}
