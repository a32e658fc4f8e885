/**
 * What a command says, without the parts that only help at a command line: sentences with an option or a command in them.
 * What is left says what happened; what can be done stands on the page.
 */
export function withoutCommands(text: string): string {
  const sentences = text.split(/(?<=[.:;?!])\s+|\n+/);
  const kept = sentences.filter(
    (sentence) => !/`|(?:^|\s)--[a-z]|\bpayrun [a-z]+ |To pay everybody (?:again|once more):$/.test(sentence),
  );
  return kept.join(' ').replace(/[;:]$/, '.').trim();
}
