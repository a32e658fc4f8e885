import { z } from 'zod';

/** A profile that was written on the page: as JSON, or all that is wrong with it, each with its line and column. */
export type ReadProfile = { ok: true; profile: string } | { ok: false; problems: readonly string[] };

/** What people are shown of a profile, as it was written. None of it is a secret. */
const shownProfile = z.looseObject({
  base_url: z.string(),
  api_key: z.string(),
  signing_key_file: z.string(),
  rate: z.string().optional(),
  concurrency: z.string().optional(),
});
export type ShownProfile = z.output<typeof shownProfile>;

export function shownProfileOf(profile: string): ShownProfile {
  return shownProfile.parse(JSON.parse(profile));
}

/** The same profile with other keys. What names the service stays: another one is another connection. */
export function withKeys(
  profile: string,
  { api_key, signing_key_file }: Pick<ShownProfile, 'api_key' | 'signing_key_file'>,
): string {
  return JSON.stringify({ ...JSON.parse(profile), api_key, signing_key_file });
}
