import { describe, expect, test } from 'vitest';
import { keepPromises } from '../../src/app/service/at-service.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { DEFAULT_PROFILE, type Profile } from '../../src/domain/profile.ts';
import { promisesOf } from '../../src/domain/run/run.ts';
import type { RunWriter } from '../../src/journal/journal.ts';
import { promisesText } from '../../src/messages/service-words.ts';
import { exampleRun, payoutRow, RUN_ID, STARTED_AT } from '../report/example-run.ts';

function recording(): { writer: RunWriter; written: Entry[] } {
  const written: Entry[] = [];
  const writer: RunWriter = {
    runId: RUN_ID,
    epoch: 1,
    mayHaveCompany: false,
    append: async (entries) => {
      written.push(...entries);
      return STARTED_AT;
    },
    start: () => Promise.reject(new Error('no plan')),
    holds: () => true,
    renew: async () => {},
    release: async () => {},
  };
  return { writer, written };
}

const WEAK: Profile = {
  ...DEFAULT_PROFILE,
  guarantees: { enforces_expiry: false, replay_protection: false, refusals_are_final: false },
  listing_lag_ms: 30_000,
  cursor: false,
};

async function said(...given: Parameters<typeof keepPromises>): Promise<string | null> {
  const kept = await keepPromises(...given);
  return kept && promisesText(kept);
}

describe('a profile that is given later', () => {
  test('and promises less is kept with the run, and said in words', async () => {
    const run = exampleRun([payoutRow(2)]);
    const { writer, written } = recording();
    expect(await said(run, writer, WEAK)).toBe(
      'From now on this run has weaker guarantees, even when it is resumed without this profile: the service may still make a payment that it did not accept in time; the service may pay twice if it receives a request twice; the service may make a payment even if it refused a copy of the request; its list may show a payment 30 s late; its list ends after one page.',
    );
    const { guarantees, listing_lag_ms, cursor } = WEAK;
    const promises = { guarantees, commits_within_ms: null, listing_lag_ms, cursor };
    expect(written).toEqual([{ kind: 'promises', promises }]);
    expect(promisesOf(run)).toEqual(promises);
  });

  test('and states that a payment is made later after it arrived is kept too, and what nobody stated is taken', async () => {
    const run = exampleRun([payoutRow(2)]);
    const { writer, written } = recording();
    const atArrival = (commits_within_ms: number | null): Profile => ({
      ...DEFAULT_PROFILE,
      guarantees: { ...DEFAULT_PROFILE.guarantees, enforces_expiry: 'at_arrival' },
      commits_within_ms,
    });
    const given = async (commits_within_ms: number | null) => [
      await said(run, writer, atArrival(commits_within_ms)),
      written.length,
      promisesOf(run).commits_within_ms,
    ];
    const less = 'From now on this run has weaker guarantees, even when it is resumed without this profile';
    const inTime = 'the service may make a payment after its deadline if it arrived in time';
    expect(await given(null)).toEqual([`${less}: ${inTime}.`, 1, null]);
    const stated = 'From now on this run relies on payments that are made at most 3 s after they arrived.';
    expect(await given(3_000)).toEqual([stated, 2, 3_000]);
    expect(await given(3_000)).toEqual([null, 2, 3_000]);
    const later = 'the service may make a payment 60 s after it arrived';
    expect(await given(60_000)).toEqual([`${less}: ${later}.`, 3, 60_000]);
    expect(await given(3_000)).toEqual([expect.stringMatching(/keeps its weaker guarantees/), 3, 60_000]);
    expect(promisesOf(run).guarantees.enforces_expiry).toBe('at_arrival');
  });

  test('and promises the same changes nothing and says nothing', async () => {
    const { writer, written } = recording();
    expect(await keepPromises(exampleRun([payoutRow(2)]), writer, DEFAULT_PROFILE)).toBeNull();
    expect(written).toEqual([]);
  });

  test('and promises more gives nothing back', async () => {
    const run = exampleRun([payoutRow(2)]);
    const { writer, written } = recording();
    await keepPromises(run, writer, WEAK);
    expect(await said(run, writer, DEFAULT_PROFILE)).toMatch(/keeps its weaker guarantees/);
    expect(written).toHaveLength(1);
    expect(promisesOf(run).guarantees).toEqual(WEAK.guarantees);
  });
});
