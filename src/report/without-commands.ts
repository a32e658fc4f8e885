/**
 * What a command says, without the parts that only help at a command line: sentences with an option or a command in them.
 * What is left says what happened; what can be done stands on the page.
 */
export function withoutCommands(text: string): string {
  return without(text, /`|^resume (?:looks|tries)|To pay everybody (?:again|once more):$/);
}

/** The same of what names a file's own words in backticks. */
export function withoutOptions(text: string): string {
  return hasOptions(text) ? without(text, OPTIONS) : text;
}

export function hasOptions(text: string): boolean {
  return OPTIONS.test(text);
}

const OPTIONS =
  /(?:^|[\s("`])--[a-z]|\bpayrun (?:--|check|plan|approve|run|resume|retry|resolve|cancel|jobs|schedule|runs|show|verify|template|web|service|keys|report R\d)\b/;

function without(text: string, pattern: RegExp): string {
  const sentences = text.split(/(?<=[.:;?!])\s+|\n+/);
  const kept = sentences.filter((sentence) => !pattern.test(sentence) && !hasOptions(sentence));
  return kept
    .join(' ')
    .replace(/[;:,]$/, '.')
    .trim();
}
