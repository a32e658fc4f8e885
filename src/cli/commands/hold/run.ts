import { z } from 'zod';
import {
  holdPayee,
  type NamedPayee,
  type PayeeHeld,
  payeesHeld,
  releasePayee,
} from '../../../app/payees/hold-payee.ts';
import { personHere } from '../../../compose/person.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { time } from '../../../domain/result.ts';
import { HOLD_REASON_MAX, type PlacedHold } from '../../../domain/run/holds.ts';
import { isoUtc } from '../../../domain/time.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { counted, printable } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { withJournal, withLoggedJournal } from '../../here.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';

const payee = z.strictObject({
  name: text.describe('Where no run has paid the payee and none was given, the payee id.'),
  payee_id: text.nullable(),
  accounts: count.describe('The accounts that are held with the payee: those that runs paid them on.'),
  reason: text,
  by: text.describe('Who recorded it: an account of a machine, or a person of the page.'),
  at: time,
});

export const output = payee
  .extend({
    state: z.literal('held'),
    known: z.boolean().describe('Whether a run has paid this payee.'),
    was_held: z.boolean(),
    exit: exitCode,
  })
  .meta({ description: 'A payee who was put on hold.' });
export const releaseOutput = payee
  .omit({ accounts: true })
  .extend({ state: z.literal('released'), exit: exitCode })
  .meta({ description: 'A payee who may be paid again.' });
export const listOutput = z
  .strictObject({ holds: z.array(payee), exit: exitCode })
  .meta({ description: 'Who is on hold, in the order in which it was recorded.' });

/** `payrun hold`: records that nobody may pay a payee. On disk when it ends: a run that is under way reads it before each payout. */
export async function run(given: Given): Promise<void> {
  const recording = { payee: payeeIn(given), reason: reasonIn(given), by: personHere() };
  await withLoggedJournal(given, async (here) => {
    const held = await holdPayee(here, recording);
    here.log.info({ payee: held.hold.payee, by: recording.by }, 'a payee was put on hold');
    const { wasHeld: was_held, isKnown: known } = held;
    const result = { ...shown(held.hold), state: 'held' as const, known, was_held, exit: EXIT.ok };
    return print<z.output<typeof output>>(here, result, () => heldText(held, here.command));
  });
}

/** `payrun hold release`: records that a payee may be paid again. Throws a `Refusal` where they are not on hold. */
export async function release(given: Given): Promise<void> {
  const recording = { payee: payeeIn(given), reason: reasonIn(given), by: personHere() };
  await withLoggedJournal(given, async (here) => {
    const released = await releasePayee(here, recording);
    here.log.info({ payee: released.payee, by: recording.by }, 'a payee was released');
    const { accounts: _, ...rest } = shown(released);
    const result = { ...rest, state: 'released' as const, exit: EXIT.ok };
    return print<z.output<typeof releaseOutput>>(here, result, () => `${named(released)} may be paid again.\n`);
  });
}

/** `payrun hold list`. */
export async function listHolds(given: Given): Promise<void> {
  await withJournal(given, async (here) => {
    const holds = await payeesHeld(here.journal);
    const result = { holds: holds.map(shown), exit: EXIT.ok };
    return print<z.output<typeof listOutput>>(here, result, () => listText(holds));
  });
}

/** Throws a `Refusal` (`usage`) where nobody is named, or somebody twice. */
function payeeIn({ payeeId, name, email }: Given): NamedPayee {
  const [id, called] = [textOf(payeeId), textOf(name)];
  if ((id === '') === (called === '')) throw new Refusal({ code: 'payee_unclear', why: id === '' ? 'none' : 'both' });
  if (email !== undefined && called === '') throw new Refusal({ code: 'payee_unclear', why: 'email_alone' });
  return { payee_id: id === '' ? null : id, name: called === '' ? id : called, email: textOf(email) || null };
}

/** Throws a `Refusal` (`usage`) where there is none, or it is too long. */
function reasonIn({ reason }: Given): string {
  const why = textOf(reason);
  if (why === '' || why.length > HOLD_REASON_MAX) throw new Refusal({ code: 'no_hold_reason', most: HOLD_REASON_MAX });
  return why;
}

/** One line. */
function textOf(given: unknown): string {
  return given === undefined
    ? ''
    : String(given)
        .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim();
}

function shown({ name, payee_id, accounts, reason, by, at }: PlacedHold): z.output<typeof payee> {
  return { name, payee_id, accounts: accounts.length, reason, by, at: isoUtc(at) };
}

function named({ name, payee_id }: PlacedHold): string {
  return printable(payee_id === null || payee_id === name ? name : `${name} (${payee_id})`);
}

function heldText({ hold, wasHeld, isKnown }: PayeeHeld, command: CommandLine): string {
  const { accounts } = hold;
  const also = accounts.length === 0 ? '' : `, with ${counted(accounts.length, 'account')} that they were paid on`;
  const lines = [
    `${named(hold)} ${wasHeld ? 'stays' : 'is'} on hold${also}: no run pays them.`,
    ...(isKnown ? [] : ['No run has paid this payee yet. Check the spelling against your files.']),
    'What was already sent is not recalled.',
    `release   ${command('hold', 'release', ...(hold.payee_id === null ? ['--name', hold.name] : ['--payee-id', hold.payee_id]))}`,
  ];
  return `${lines.join('\n')}\n`;
}

function listText(holds: readonly PlacedHold[]): string {
  if (holds.length === 0) return 'Nobody is on hold.\n';
  const lines = holds.map(
    (hold) => `${named(hold)}  since ${isoUtc(hold.at)} by ${printable(`${hold.by}: ${hold.reason}`)}`,
  );
  return `${lines.join('\n')}\n`;
}
