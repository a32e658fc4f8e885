import type { CST } from 'yaml';

/** Something wrong at an offset of the text. */
export type Found = { at: number; message: string; remedy: string };

/** A job has three levels; a person who needs more made a mistake of indentation. */
const DEPTH_MAX = 32;

/** Keys, values and signs between them: some hundred times what a long job has. */
const TOKENS_MAX = 50_000;

const PLAIN = 'write the value out where it is needed';

/** What a job does without, by the token that begins it. */
const REFUSED: Readonly<Record<string, { message: string; remedy: string }>> = {
  alias: { message: 'an alias (*name) stands for something else', remedy: PLAIN },
  anchor: { message: 'an anchor (&name) is for aliases, which are not read', remedy: PLAIN },
  tag: { message: 'a tag (!name) says how a value is to be read', remedy: 'leave it out; put a text in quotes' },
  directive: { message: 'a directive (%NAME) changes how the file is read', remedy: 'leave the line out' },
};

/**
 * What a text of YAML must not have, seen before anything is built of it: aliases and their anchors, tags, directives,
 * and more levels or parts than anybody writes. Walks with a stack of its own, since the text may be somebody's bomb.
 */
export function structureProblems(tokens: readonly CST.Token[]): Found[] {
  const found: Found[] = [];
  const stack = tokens.map((token) => ({ token, depth: 0 })).reverse();
  for (let count = 0; stack.length > 0; count++) {
    const { token, depth } = stack.pop() as (typeof stack)[number];
    if (depth > DEPTH_MAX) return [{ at: token.offset, ...tooDeep }];
    if (count > TOKENS_MAX) return [{ at: token.offset, ...tooMany }];
    const refused = REFUSED[token.type];
    if (refused !== undefined) found.push({ at: token.offset, ...refused });
    const inner = partsOf(token);
    const innerDepth = depth + ('items' in token ? 1 : 0);
    for (let at = inner.length - 1; at >= 0; at--) stack.push({ token: inner[at] as CST.Token, depth: innerDepth });
  }
  return found;
}

const tooDeep = { message: `more than ${DEPTH_MAX} levels`, remedy: 'look at the indentation and the brackets' };
const tooMany = { message: 'the file has more parts than a job', remedy: 'check that it is the right file' };

/** What a token holds, in the order of the text. */
function partsOf(token: CST.Token): CST.Token[] {
  switch (token.type) {
    case 'document':
      return [...token.start, ...(token.value ? [token.value] : [])];
    case 'block-scalar':
      return token.props;
    case 'block-map':
    case 'block-seq':
    case 'flow-collection':
      return token.items.flatMap(({ start, key, sep, value }) => [
        ...start,
        ...(key ? [key] : []),
        ...(sep ?? []),
        ...(value ? [value] : []),
      ]);
    default:
      return [];
  }
}
