import { z } from 'zod';
import { chainsOf, crypto, fiat } from '../../domain/currencies.ts';
import { parseMajor } from '../../domain/money.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import { parsePublicKey, publicKeyTexts } from '../../keys/ed25519.ts';
import { type PublicKeyProblem, publicKeyProblem } from '../../keys/public-key.ts';
import { shown } from '../placed-problem.ts';
import { addProblem } from '../schema-problems.ts';
import { durationText, LIST_WANTED, parsedText, wholeText } from '../values.ts';

/** The approval that a job asks for: the policy of its plans, but for who made the plan. */
export type JobApproval = Omit<ApprovalPolicy, 'preparer' | 'preparer_key'>;

const PEOPLE_MAX = 50;
const BANDS_MAX = 20;
const VALID_MIN_MS = 1_000;
const VALID_MAX_MS = 31 * 86_400_000;
const VALID_DEFAULT_MS = 72 * 3_600_000;

const NAME_MAX = 64;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

const KEY_WORDS: Readonly<Record<PublicKeyProblem, string>> = {
  wrong_length: 'is no key of 32 bytes',
  not_on_curve: 'is no point of Ed25519',
  small_order: 'is a key under which anybody can sign',
  not_canonical: 'is no key of Ed25519 in its one right form',
  mixed_order: 'is a key that not all programs verify alike',
};

const name = z
  .string()
  .refine(
    (text) => text === text.trim() && text.length <= NAME_MAX && !UNPRINTABLE.test(text),
    `write the name of a person, ${NAME_MAX} letters at most, without blanks at its ends`,
  );

/** Base64url of the key, whichever of its two texts is written. */
const publicKey = z.string().transform((text, context): string => {
  const remedy = 'write what `payrun keys show FILE` prints of the key file of that person';
  const bytes = parsePublicKey(text);
  const problem = bytes === null ? null : publicKeyProblem(bytes);
  if (bytes !== null && problem === null) return publicKeyTexts(bytes).base64url;
  addProblem(context, { remedy, ...(problem !== null && { what: KEY_WORDS[problem] }) });
  return z.NEVER;
});

/** `AUD 100000`: the code of a currency, a blank, digits. */
const over = parsedText((text): { code: string; minor: string } | undefined => {
  const [code = '', amount = '', more] = text.split(' ');
  const of = fiat(code) ?? crypto(code, chainsOf(code)[0] ?? '');
  const parsed = of === null || more !== undefined ? null : parseMajor(amount, of.decimals);
  return parsed?.ok && parsed.minor >= 0n ? { code, minor: String(parsed.minor) } : undefined;
}, 'write the code of a currency and a sum as digits, such as AUD 100000 or AUD 2500.50');

const required = wholeText(1, PEOPLE_MAX);

const person = z.strictObject({
  name: name.describe('the name of a person'),
  public_key: publicKey.describe('what `payrun keys new --approver` prints'),
});

const band = z.strictObject({
  over: over.describe('a total in one currency, such as AUD 100000'),
  required: required.describe('how many sign a plan that is over it'),
});

const approval = z
  .strictObject({
    approvers: z
      .array(person, LIST_WANTED)
      .min(1, 'name one approver at least')
      .max(PEOPLE_MAX)
      .describe('who may sign: each with a name and a public key'),
    preparers: z
      .array(person, LIST_WANTED)
      .min(1, 'name one person at least')
      .max(PEOPLE_MAX)
      .optional()
      .describe('who makes plans, each with a key (default: the account is recorded as the preparer)'),
    required: required.optional().describe('how many of them sign a plan (default 1)'),
    bands: z.array(band, LIST_WANTED).max(BANDS_MAX).optional().describe('how many sign a plan of more than a sum'),
    valid_for: durationText
      .refine((ms) => ms >= VALID_MIN_MS && ms <= VALID_MAX_MS, 'write 1s to 31d')
      .optional()
      .describe('how long a signature is good for (default 72h)'),
  })
  .superRefine(({ approvers, preparers = [], required = 1, bands = [] }, context) => {
    // That there is none is a problem already.
    if (approvers.length === 0) return;
    requireDifferent('approvers', approvers, context);
    requireDifferent('preparers', preparers, context);
    requireSamePeople(preparers, approvers, context);
    const few = {
      what: `is more than there are approvers (${approvers.length})`,
      remedy: 'name more approvers, or ask for fewer',
    };
    if (required > approvers.length) addProblem(context, { path: ['required'], ...few });
    const seen = new Set<string>();
    for (const [at, { over, required: inBand }] of bands.entries()) {
      const path = ['bands', at, 'required'];
      if (inBand > approvers.length) addProblem(context, { path, ...few });
      if (inBand <= required) addProblem(context, { path, ...NO_MORE });
      const sum = `${over.code} ${over.minor}`;
      if (seen.has(sum)) addProblem(context, { path: ['bands', at, 'over'], ...TWICE });
      seen.add(sum);
    }
  })
  .transform(
    ({ approvers, preparers, required = 1, bands = [], valid_for }): JobApproval => ({
      approvers,
      ...(preparers && { preparers }),
      bands: [
        { over: null, approvals: required },
        ...bands.map((one) => ({ over: one.over, approvals: one.required })),
      ],
      valid_for_ms: valid_for ?? VALID_DEFAULT_MS,
    }),
  );

/** Who has to sign a plan before it is run. */
export const approvalPart = {
  approval: approval.optional().describe('who approves each plan of this job before it is run'),
};

const NO_MORE = { what: 'asks for no more than `required` above', remedy: 'ask for more, or take the band out' };
const TWICE = { what: 'is the same sum as in a band above', remedy: 'keep one of them' };

type People = readonly z.output<typeof person>[];

/** One person with two keys, or two names for one key, could be counted as two people. */
function requireDifferent(list: 'approvers' | 'preparers', people: People, context: z.RefinementCtx): void {
  const remedy = `give each ${list === 'approvers' ? 'approver' : 'person'} a name and a key of their own`;
  for (const [at, { name, public_key }] of people.entries()) {
    const above = people.slice(0, at);
    const same = above.findLast((one) => nameKey(one.name) === nameKey(name));
    if (same !== undefined)
      addProblem(context, { path: [list, at, 'name'], what: `is the same as ${shown(same.name)} above`, remedy });
    const owner = above.findLast((one) => one.public_key === public_key);
    if (owner !== undefined)
      addProblem(context, { path: [list, at, 'public_key'], what: `is the key of ${shown(owner.name)}`, remedy });
  }
}

/** Who makes a plan with one key and approves it with another would need nobody else. */
function requireSamePeople(preparers: People, approvers: People, context: z.RefinementCtx): void {
  const remedy = 'write the same name and the same key for a person who makes plans and approves those of others';
  for (const [at, { name, public_key }] of preparers.entries()) {
    const path = ['preparers', at, 'public_key'];
    const named = approvers.find((one) => nameKey(one.name) === nameKey(name));
    const what = 'is another key than the same person has as an approver';
    if (named !== undefined && named.public_key !== public_key) addProblem(context, { path, what, remedy });
    const owner = approvers.find((one) => one.public_key === public_key);
    if (owner !== undefined && nameKey(owner.name) !== nameKey(name))
      addProblem(context, { path, what: `is the key of ${shown(owner.name)}`, remedy });
  }
}

function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
