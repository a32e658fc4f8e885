import { withoutOptions } from '../../report/without-commands.ts';

/** Problems name options of the command line; on the page the same is chosen in a form. */
const ON_THE_PAGE: readonly (readonly [RegExp, string])[] = [
  [/, or say --column .*$/s, ', or choose under “Columns” what it is.'],
  [/; where it has words .* --column .*$/s, '; or choose under “Columns” what each of its words means.'],
  [
    /; where another header means it, .* --column .*$/s,
    '; where another header means it, choose that under “Columns”.',
  ],
  [/; or ignore one, as with --column .*$/s, '; or ignore one of them under “Columns”.'],
  [/, say --column .*$/s, ', choose that under “Columns”.'],
  [/, or name the decimal separator: .*$/s, ', or choose under “How it is read” which sign divides the decimals.'],
  [
    /^Write it in that way, or change --decimal\.$/,
    'Write it in that way, or choose the other sign under “How it is read”.',
  ],
  [/In place of that, --default-rail .*$/s, 'Or choose one for all such rows under “How it is read”.'],
  [/^Say which one is to be read, for example with --sheet .*$/s, 'Choose under “How it is read” which one it is.'],
  [/^Run the file again with --sheet .*$/s, 'Upload the file once more for each other sheet that is to be paid.'],
  [/, of which --column says that it/, ', of which it was chosen that it'],
  [/, or leave the option out\.$/, ', or have what was chosen under “Columns” forgotten.'],
  [/ of --expect-(?:count|total)\.$/, ' that were expected.'],
  [/, and no --expect-total names ([A-Z0-9]+)\.$/, ', and nothing in $1 was expected.'],
  [
    / What that run did not pay is planned again by .*$/,
    ' What that run did not pay is corrected and paid on its own page: follow the link.',
  ],
  [/^Give the table .*--modulus-substitutions .*$/, 'Whoever operates payrun gives it the table of substitutions too.'],
];

/** What a problem says, in the words of the page; what has none there is left out. */
export function pageText(text: string): string {
  let words = text;
  for (const [pattern, better] of ON_THE_PAGE) words = words.replace(pattern, better);
  return withoutOptions(words.replace(/\b(another|same|one|the) payee_id\b/gi, '$1 “Id of the payee”'));
}
