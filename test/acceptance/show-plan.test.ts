import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listed, sharedOffice } from '../support/approval-office.ts';
import type { TestApprover } from '../support/approvers.ts';
import { payrun } from '../support/payrun.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code,source_currency';
const ADA = 'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000,';
const MARY = 'E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000,EUR';
const TOTAL = '1032.50 AUD';

/** Two approvers of three people, and accounts that stay new for a month. */
async function desk() {
  const office = await sharedOffice(
    ({ anna, ben, carla }) =>
      `schedule: {cron: "0 9 25 * *", time_zone: UTC}\nlimits: {cooling_off: 30d}\nrepeat_window: 0s\napproval:\n  required: 2\n  preparers:\n${listed([ben])}  approvers:\n${listed([anna, carla])}`,
  );
  const { file, env, run, approval } = office;
  const pay = (...rows: string[]) => writeFileSync(file, `${[HEADER, ...rows].join('\n')}\n`);
  const approve = (who: TestApprover, runId: string, rows: string) =>
    payrun([...approval(who, runId), '--rows', rows], { env });
  const show = async (runId: string) => (await run('show', runId)).stdout;
  return { ...office, pay, approve, show };
}

it('show of a plan that waits has all that plan and approve show, who approved it, who is missing, and what is next', async () => {
  const { anna, ben, carla, pay, plan, approve, show, json, run } = await desk();
  pay(ADA, MARY);
  const planned = JSON.parse((await plan(ben, '--json', '--period', '2031-11')).stdout);
  const { run_id, digest } = planned;
  const first = await show(run_id);
  expect(first).toContain(`Plan ${run_id} of job pay, 2031-11\n`);
  expect(first).toMatch(/^made by {4}Ben, with the key \S{8}…$/m);
  expect(first).toContain(`\ntotal      ${TOTAL} in 2 payouts, fees ${planned.totals[0].fees}\n`);
  const [conversion] = planned.conversions;
  expect(first).toContain(`paid       from ${conversion.sent} EUR: 20.00 AUD in 1 payout, fees ${conversion.fees}\n`);
  expect(first).toContain(`1 EUR = ${conversion.rate} AUD\n`);
  expect(first).toContain('to create  2 recipients and 2 accounts\n');
  expect(first).toMatch(/^by itself {2}Row 2: Ada Byron \(E1\) gets 1,012\.50 AUD on ••••5678\. Nobody was ever paid/m);
  expect(first).toContain(`\ndigest     ${digest}\n`);
  expect(first).toContain('\napprovals: 0 of 2\n  missing: Anna and Carla\n  not approved by enough yet: rows 2, 3\n');
  expect(first).toMatch(new RegExp(`^go on with {3}payrun approve ${run_id} --key FILE --data-dir \\S+$`, 'm'));
  expect(await json('show', run_id)).toMatchObject({
    payouts: [{ message: expect.stringContaining(`payrun run ${run_id}`) }, {}],
    digest,
    period: '2031-11',
    next: planned.next,
    plan: {
      payouts: 2,
      totals: planned.totals,
      conversions: planned.conversions,
      ceilings: planned.ceilings,
      recipients_to_create: 2,
      accounts_to_create: 2,
      warning_count: planned.warnings.length,
      warnings: planned.warnings,
      made_by: expect.stringMatching(/^Ben, with the key/),
      may_still_approve: ['Anna', 'Carla'],
    },
  });

  await approve(anna, run_id, 'all');
  const second = await show(run_id);
  expect(second).toMatch(
    /^approvals: 1 of 2\n {2}Anna \(.*\), signed .*: counts, with rows 2, 3\n {2}missing: Carla$/m,
  );
  await approve(carla, run_id, '2');
  const third = await show(run_id);
  expect(third).toMatch(/^approvals: 2 of 2\n.*\n.*: counts, with row 2\n {2}not approved by enough yet: row 3$/m);
  expect(third).toContain(`\ngo on with   payrun approve ${run_id} `);
  await approve(carla, run_id, '3');
  const fourth = await show(run_id);
  expect(fourth).not.toMatch(/missing:|not approved by/);
  expect(fourth).toContain(`\ngo on with   payrun run ${run_id} `);
  expect((await run('run', run_id, '--yes')).exit).toBe(0);
  expect(await json('show', run_id)).toMatchObject({ plan: null, next: null });

  pay(ADA.replace('12345678', '92345671'), MARY);
  const next = JSON.parse((await plan(ben, '--json', '--period', '2031-12')).stdout).run_id;
  const compared = await show(next);
  expect(compared).toMatch(/^BANK DETAILS CHANGED: 1 payout would not go where the payee was last paid\.$/m);
  expect(compared).toMatch(/by itself {2}Row 2: .* Last time this payee was paid to ••••5678/);
  expect(compared).toContain(`1 with changed bank details since the last run of the job (run ${run_id} of `);
  expect(compared).toContain('  then 1,032.50 AUD, now 1,032.50 AUD\n');
  expect(await json('show', next)).toMatchObject({
    plan: { compared: { run_id }, warning_counts: { account_changed: 1 } },
  });
});

it('show of a plan that nobody approves says how it is run, and that it repeats an earlier run', async () => {
  const { file, run, show } = await desk();
  const at = ['--json', '--rate', '0', '--poll-every', '20ms'];
  const earlier = JSON.parse((await run('run', file, '--yes', ...at)).stdout).run_id;
  const { run_id, next } = JSON.parse((await run('plan', file, '--allow-repeat', earlier, ...at)).stdout);
  const shown = await show(run_id);
  expect(next).toContain(`payrun run ${run_id} --allow-repeat ${earlier} `);
  expect(shown).toContain(`\ngo on with   ${next}\n`);
  expect(shown).not.toMatch(/^(made by|approvers|approvals)/m);
});
