import { textTable, translator } from '../../messages/translate.ts';
import { type Html, html } from './html.ts';

/** What the scripts of the page say (`say`). `#` stands for a value. */
export const SCRIPT_TEXTS: readonly string[] = textTable([
  'Account',
  'Added',
  'All rows',
  'Back to the check',
  'Changes',
  'Changes in this row',
  'Checking this row…',
  'Checking…',
  'Columns of a payment',
  'Continue',
  'Continue with the valid rows (#)',
  'Copied',
  'Copy',
  'Reading earlier payments…',
  'Edit cell',
  'Edited by #',
  'Edited rows',
  'Error',
  'Errors',
  'Errors left',
  'Fix # errors to continue',
  'Fix 1 error to continue',
  'In the file',
  'Known as',
  'Last paid',
  'Reload the page.',
  'Next problem',
  'No errors or warnings. “All rows” shows the others.',
  'No problems in this row.',
  'No row has this text.',
  'No rows yet. Add a row, or paste rows from a spreadsheet.',
  'No such recipient was paid before.',
  'None. Every change is recorded and shown to approvers.',
  'Not paid before, as far as is known.',
  'Not saved: #',
  'Previous',
  'Previous problem',
  'Problem',
  'Recipient',
  'Row',
  'Rows',
  'Saved',
  'Saved. Checking…',
  'Saving…',
  'Sign in again in another tab.',
  'Sign in again.',
  'Suggestion',
  'Tab fills in #.',
  'That is too much at once. Paste or fill at most about 1,000 rows.',
  'The page cannot be reached.',
  'The page could not be reached. Try again.',
  'The passkey was not used: it was cancelled, or took too long. Try again.',
  'This browser is too old for passkeys. Use a newer one.',
  'This device already has a passkey of yours.',
  'This row was added.',
  'To review',
  'Try again',
  'Use suggestion',
  'Warning',
  'Warnings',
  'empty',
  'paid #',
]);

const ENGLISH = [...SCRIPT_TEXTS];

/** The attribute by which scripts have their texts in the viewer's language; none for English. */
export function scriptTexts(): Html | null {
  if (translator() === undefined) return null;
  const said = Object.fromEntries(ENGLISH.map((text, at) => [text, SCRIPT_TEXTS[at]]));
  return html` data-said="${JSON.stringify(said)}"`;
}
