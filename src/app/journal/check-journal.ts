import { assert } from '../../domain/refusal.ts';
import type { JournalFacts } from '../../journal/facts.ts';
import type { CheckedJournal } from '../../journal/open.ts';
import { type JournalVerified, type VerifyInput, verifyJournal } from '../verify/verify.ts';

export type JournalChecked = { facts: JournalFacts; verified: Extract<JournalVerified, { outcome: 'verified' }> };

/** Proves the whole journal, with what is noted of it in the reports, and shows how it is kept. */
export async function checkJournal(
  journal: CheckedJournal,
  { reportDir }: Pick<VerifyInput, 'reportDir'>,
): Promise<JournalChecked> {
  const facts = await journal.facts();
  const verified = await verifyJournal(journal, { reportDir, isAlone: facts.move?.state === 'left' });
  assert(verified.outcome === 'verified', 'a witness was read that nobody named');
  return { facts, verified };
}
