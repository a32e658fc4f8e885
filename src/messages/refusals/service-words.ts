import { noteText } from '../note-words.ts';
import { stopText } from '../stop-words.ts';
import { either, t, textTable } from '../translate.ts';
import { failureText, NO_TROUBLE, troubleWords } from '../trouble-words.ts';
import type { Wording, WordsOf } from './refusal-words.ts';
import { setUpRemedy, setUpText } from './set-up-words.ts';

const AGAIN: Wording = textTable({ command_line: 'Run the same command again.', page: 'Try again.' });

/** What the service, or what payrun was started with, does not allow. */
export const SERVICE_WORDS: WordsOf<
  | 'credentials_refused'
  | 'service_unreachable'
  | 'clock_differs'
  | 'mode_changed'
  | 'plan_not_drawn'
  | 'interrupted'
  | 'set_up'
  | 'secret_unusable'
> = {
  credentials_refused: ({ cause }) => ({
    message: t`The service rejects the credentials: ${cause}.`,
    remedy: {
      command_line: 'Check --api-key and --signing-key: the key id and the file must belong together and be active.',
      page: t`Ask the person who operates payrun to check the API key and the signing key: both must belong together and be active.`,
    },
  }),
  service_unreachable: ({ trouble, cause }) => {
    const { what, remedy } = trouble === null ? NO_TROUBLE : troubleWords(trouble);
    const message =
      what === null
        ? t`The service cannot be reached: ${trouble === null ? noteText(cause) : failureText({ trouble })}`
        : each(what, capital);
    return {
      message: each(message, (text) => `${text}.`),
      remedy: {
        command_line: `${sides(remedy).command_line}, then run the same command again.`,
        page: t`${sides(remedy).page}, then try again.`,
      },
    };
  },
  clock_differs: ({ seconds, isAhead }) => ({
    message: t`This machine's clock and the service's differ by ${seconds} s (${either(isAhead, 'ours is ahead', 'ours is behind')}).`,
    remedy: {
      command_line: 'Set this machine by a time server (timedatectl set-ntp true), then run the same command again.',
      page: t`Synchronise this machine’s clock with a time server, then try again.`,
    },
  }),
  mode_changed: ({ rehearsal }) => ({
    message: rehearsal
      ? t`The connection was LIVE at its last test and is TEST now: no money would move. Nothing was planned.`
      : t`The connection was TEST at its last test and is LIVE now: real money would move. Nothing was planned.`,
    remedy: t`Ask an administrator to test the connection again.`,
  }),
  plan_not_drawn: ({ why }) => ({
    message: {
      command_line: `The plan could not be made: ${stopText(why, 'command_line')}.`,
      page: t`The plan could not be made: ${stopText(why, 'page')}.`,
    },
    remedy: AGAIN,
  }),
  interrupted: () => ({
    message: t`Interrupted. Nothing was sent, and no plan was written.`,
    remedy: AGAIN,
  }),
  set_up: ({ part }) => ({ message: setUpText(part), remedy: setUpRemedy() }),
  secret_unusable: ({ setting, reference }) => ({
    message: t`${setting}: ${reference} holds no ${either(setting === 'smtp', 'address of a mail server', 'secret')}.`,
    remedy:
      setting === 'smtp'
        ? t`Write it as smtps://user:password@host:465, with %40 for an @ in the name or the password.`
        : t`A secret is whsec_ and 24 to 64 bytes in base64.`,
  }),
};

function each(wording: Wording, change: (text: string) => string): Wording {
  if (typeof wording === 'string') return change(wording);
  return { command_line: change(wording.command_line), page: change(wording.page) };
}

function sides(wording: Wording): Exclude<Wording, string> {
  return typeof wording === 'string' ? { command_line: wording, page: wording } : wording;
}

function capital(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}
