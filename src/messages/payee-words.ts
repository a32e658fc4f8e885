import type { PayeeReason } from '../domain/refusals/payee-reasons.ts';
import type { ReasonOf } from '../domain/refusals/reason.ts';
import type { WordsOf } from './refusals/refusal-words.ts';
import { printable } from './text.ts';

/** Why a payee is neither put on hold nor released, and what to do about it. */
export const PAYEE_WORDS: WordsOf<PayeeReason['code']> = {
  payee_unclear: ({ why }) => ({
    message: UNCLEAR[why],
    remedy: {
      command_line:
        'Name one payee as files do: by --payee-id, or by --name (and --email) where they have no payee id.',
      page: 'Put the recipient on hold on their page.',
    },
  }),
  no_hold_reason: ({ most }) => ({
    message: 'The reason is missing or too long. Nothing was recorded.',
    remedy: {
      command_line: `Give one with --reason, of at most ${most} characters.`,
      page: `Say why, in at most ${most} characters.`,
    },
  }),
  payee_not_held: ({ payee }, { command }) => ({
    message: `${printable(payee)} is not on hold. Nothing was recorded.`,
    remedy: { command_line: `See who is: ${command('hold', 'list')}`, page: 'Recipients shows who is.' },
  }),
  payee_known_by_id: ({ name, payeeIds }) => ({
    message: `Runs know ${printable(name)} by a payee id: a hold of the name alone would not hold them. Nothing was recorded.`,
    remedy: {
      command_line: `Give --payee-id instead: ${printable(payeeIds.join(', '))}.`,
      page: 'Put the recipient on hold on their page.',
    },
  }),
};

const UNCLEAR: Readonly<Record<ReasonOf<'payee_unclear'>['why'], string>> = {
  none: 'The command names no payee.',
  both: 'A payee is named by payee id or by name, not by both.',
  email_alone: 'An e-mail alone names no payee.',
};
