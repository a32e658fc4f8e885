import type { MiddlewareHandler } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { Person } from '../app/people/people.ts';
import { isOffered } from '../messages/translate.ts';
import { ANYBODY, asViewer, type Viewer, viewer } from '../messages/viewer.ts';
import type { Web, WebContext, WebEnv } from './web.ts';

/** Answers in the language that the browser asks for, as long as nobody is known to ask. */
export const viewOfBrowser: MiddlewareHandler<WebEnv> = (context, next) =>
  asViewer({ ...ANYBODY, language: languageAsked(context), ...now(context) }, next);

/** Answers in the person's language and time zone, and names only payments they may see. */
export const viewOfPerson: MiddlewareHandler<WebEnv> = async (context, next) => {
  const { web, person, halfIn } = context.var;
  const known = person ?? halfIn?.person;
  if (known === undefined) return next();
  const chosen = await web.views.viewer(known.id, viewer());
  const seen = person === null ? {} : await seenBy(web, person);
  return asViewer({ ...chosen, ...now(context), ...seen }, next);
};

/** Which payments may be named to this person. */
export async function seenBy({ sight }: Web, person: Person): Promise<Pick<Viewer, 'sees'>> {
  const sees = await sight.of(person).runs();
  return sees === undefined ? {} : { sees };
}

function now({ var: { web } }: WebContext): { nowMs: number } {
  return { nowMs: web.deps.clock.wallMs() };
}

/** The language of ours that the browser likes best; `de-AT` asks for `de`. */
function languageAsked(context: WebContext): Viewer['language'] {
  const asked = parseAccept(context.req.header('accept-language') ?? '').filter(({ q }) => q > 0);
  const tags = asked
    .toSorted((one, other) => other.q - one.q)
    .map(({ type }) => type.toLowerCase().split('-')[0] ?? '');
  return tags.find(isOffered) ?? ANYBODY.language;
}
