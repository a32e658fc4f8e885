import { z } from 'zod';
import { chainsOf, crypto, fiat } from '../../domain/currencies.ts';
import { parseMajor } from '../../domain/money.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import { parsePublicKey, publicKeyTexts } from '../../keys/ed25519.ts';
import { publicKeyProblem } from '../../keys/public-key.ts';
import { addProblem, form, wanting } from '../schema-problems.ts';
import { durationText, parsedText, wholeText } from '../values.ts';

/** The approval that a job asks for: the policy of its plans, but for who made the plan. */
export type JobApproval = Omit<ApprovalPolicy, 'preparer' | 'preparer_key'>;

const PEOPLE_MAX = 50;
const BANDS_MAX = 20;
const VALID_MIN_MS = 1_000;
const VALID_MAX_MS = 31 * 86_400_000;
const VALID_DEFAULT_MS = 72 * 3_600_000;

const NAME_MAX = 64;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

const name = z
  .string()
  .refine(
    (text) => text === text.trim() && text.length <= NAME_MAX && !UNPRINTABLE.test(text),
    wanting({ form: 'person_name', lettersMax: NAME_MAX }),
  );

/** Base64url of the key, whichever of its two texts is written. */
const publicKey = z.string().transform((text, context): string => {
  const bytes = parsePublicKey(text);
  const problem = bytes === null ? null : publicKeyProblem(bytes);
  if (bytes !== null && problem === null) return publicKeyTexts(bytes).base64url;
  addProblem(context, problem === null ? { wanted: { form: 'public_key' } } : { code: 'unusable_key', problem });
  return z.NEVER;
});

/** `AUD 100000`: the code of a currency, a blank, digits. */
const over = parsedText(
  (text): { code: string; minor: string } | undefined => {
    const [code = '', amount = '', more] = text.split(' ');
    const of = fiat(code) ?? crypto(code, chainsOf(code)[0] ?? '');
    const parsed = of === null || more !== undefined ? null : parseMajor(amount, of.decimals);
    return parsed?.ok && parsed.minor >= 0n ? { code, minor: String(parsed.minor) } : undefined;
  },
  { form: 'sum' },
);

const required = wholeText(1, PEOPLE_MAX);

const person = z.strictObject({
  name: name.describe('the name of a person'),
  public_key: publicKey.describe('what `payrun keys new --approver` prints'),
});

const band = z.strictObject({
  over: over.describe('a total in one currency, such as AUD 100000'),
  required: required.describe('how many approvers a plan over it needs'),
});

const approval = z
  .strictObject({
    approvers: z
      .array(person)
      .min(1, form('approver'))
      .max(PEOPLE_MAX)
      .describe('who may sign: each with a name and a public key'),
    preparers: z
      .array(person)
      .min(1, form('preparer'))
      .max(PEOPLE_MAX)
      .optional()
      .describe('who makes plans, each with a key (default: the account is recorded as the preparer)'),
    required: required.optional().describe('how many approvers a plan needs (default 1)'),
    bands: z.array(band).max(BANDS_MAX).optional().describe('how many approvers a plan over a sum needs'),
    valid_for: durationText
      .refine((ms) => ms >= VALID_MIN_MS && ms <= VALID_MAX_MS, wanting({ form: 'validity' }))
      .optional()
      .describe('how long an approval is valid (default 72h)'),
  })
  .superRefine(({ approvers, preparers = [], required = 1, bands = [] }, context) => {
    // That there is none is a problem already.
    if (approvers.length === 0) return;
    requireDifferent('approvers', approvers, context);
    requireDifferent('preparers', preparers, context);
    requireSamePeople(preparers, approvers, context);
    const few = { code: 'few_approvers', approvers: approvers.length } as const;
    if (required > approvers.length) addProblem(context, few, { path: ['required'] });
    const seen = new Set<string>();
    for (const [at, { over, required: inBand }] of bands.entries()) {
      const path = ['bands', at, 'required'];
      if (inBand > approvers.length) addProblem(context, few, { path });
      if (inBand <= required) addProblem(context, { code: 'needless_band' }, { path });
      const sum = `${over.code} ${over.minor}`;
      if (seen.has(sum)) addProblem(context, { code: 'same_sum' }, { path: ['bands', at, 'over'] });
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

type People = readonly z.output<typeof person>[];

/** One person with two keys, or two names for one key, could be counted as two people. */
function requireDifferent(list: 'approvers' | 'preparers', people: People, context: z.RefinementCtx): void {
  for (const [at, { name, public_key }] of people.entries()) {
    const above = people.slice(0, at);
    const same = above.findLast((one) => nameKey(one.name) === nameKey(name));
    if (same !== undefined)
      addProblem(context, { code: 'same_name', of: list, name: same.name }, { path: [list, at, 'name'] });
    const owner = above.findLast((one) => one.public_key === public_key);
    if (owner !== undefined)
      addProblem(context, { code: 'same_key', of: list, name: owner.name }, { path: [list, at, 'public_key'] });
  }
}

/** Who makes a plan with one key and approves it with another would need nobody else. */
function requireSamePeople(preparers: People, approvers: People, context: z.RefinementCtx): void {
  for (const [at, { name, public_key }] of preparers.entries()) {
    const path = ['preparers', at, 'public_key'];
    const named = approvers.find((one) => nameKey(one.name) === nameKey(name));
    if (named !== undefined && named.public_key !== public_key) addProblem(context, { code: 'another_key' }, { path });
    const owner = approvers.find((one) => one.public_key === public_key);
    if (owner !== undefined && nameKey(owner.name) !== nameKey(name))
      addProblem(context, { code: 'key_of_approver', name: owner.name }, { path });
  }
}

function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
