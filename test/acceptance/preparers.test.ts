import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import { foldPages } from '../../src/journal/pages.ts';
import { planDigest } from '../../src/runner/plan/plan.ts';
import { listed, sharedOffice } from '../support/approval-office.ts';
import { testApprover } from '../support/approvers.ts';
import { newKey } from '../support/new-key.ts';
import { payrun } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

/** Ben makes plans, Anna approves them, Carla does either. */
const office = () =>
  sharedOffice(
    ({ anna, ben, carla }) =>
      `approval:\n  preparers:\n${listed([ben, carla])}  approvers:\n${listed([anna, carla])}  valid_for: 4h\n`,
  );

type Office = Awaited<ReturnType<typeof office>>;

/** Who may write the journal gives a plan the name of another person, with a signature that was at hand. */
async function forge({ data }: Office, like: string, runId: string): Promise<void> {
  const journal = await openDataJournal({ dataDir: data });
  try {
    const { header, plan, planSignature, rows } = await foldPages(journal.readRun(like));
    if (header === null || plan === null || planSignature === null) throw new Error('no plan');
    const facts = { ...plan, run_id: runId };
    const entries = [
      { kind: 'rows' as const, rows: [...rows] },
      { kind: 'planned' as const, plan: facts, signature: planSignature },
    ];
    const forged = { ...header, run_id: runId, digest: planDigest(facts, rows) };
    const created = await journal.createRun({ header: forged, rows: entries, refuseRepeat: false });
    if (created.outcome === 'created') await created.writer.release();
  } finally {
    await journal.close();
  }
}

describe('where everybody works under one account', () => {
  it('a plan is made with one key and approved with another', async () => {
    const given = await office();
    const { plan, approve, run, anna, ben, carla, service, passphrase, job, folder } = given;
    const nobody = await run('run', job, '--yes');
    expect([nobody.exit, nobody.stderr]).toEqual([6, expect.stringContaining('(Ben, Carla), and it is not known who')]);
    expect(nobody.stderr).toContain('--as KEYFILE');
    const stranger = await plan(await testApprover(folder, 'Stranger', 9));
    expect([stranger.exit, stranger.stderr]).toEqual([6, expect.stringContaining('This key is not that of anybody')]);
    expect((await plan({ ...anna, name: 'Ben' })).exit).toBe(6);
    const open = join(folder, 'open.pem');
    newKey(open);
    expect(await plan({ ...ben, file: open })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('is not encrypted'),
    });
    expect(await plan({ ...ben, file: `${ben.file}x` })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`payrun keys new --approver ${ben.file}x`),
    });
    expect((await run('plan', job, '--as', ben.file)).exit).toBe(6);
    expect(existsSync(given.data)).toBe(false);

    const bens = await plan(ben);
    expect(bens.stdout).toMatch(/^To be approved by 1 of Anna, Carla; not by Ben, with the key \S{8}…, who made/m);
    const carlas = JSON.parse((await plan(carla, '--json')).stdout);
    const own = await approve(carla, carlas.run_id);
    expect([own.exit, own.stderr]).toEqual([6, expect.stringMatching(/Carla, with the key .* made this plan/)]);
    expect(own.stderr).toMatch(/To be approved by Anna: /);
    const other = await approve(ben, carlas.run_id);
    expect([other.exit, other.stderr]).toEqual([6, expect.stringContaining('not that of an approver')]);
    expect((await run('run', carlas.run_id, '--yes')).exit).toBe(6);
    const approved = await approve(anna, carlas.run_id);
    expect([approved.exit, approved.stderr]).toEqual([0, expect.stringMatching(/^made by {4}Carla, with the key/m)]);
    expect((await run('run', carlas.run_id, '--yes', '--passphrase-file', passphrase)).exit).toBe(0);
    expect(await allTransactions(service)).toHaveLength(2);
  });

  it('a plan in the name of somebody who did not sign it is approved by nobody (5), and not run', async () => {
    const given = await office();
    const { plan, approve, run, anna, ben, service } = given;
    const { run_id } = JSON.parse((await plan(ben, '--json')).stdout);
    await forge(given, run_id, 'R20261125-F0RGED00');
    const refused = await approve(anna, 'R20261125-F0RGED00');
    expect([refused.exit, refused.stderr]).toEqual([5, expect.stringContaining('not signed by the person')]);
    expect((await run('run', 'R20261125-F0RGED00', '--yes')).exit).toBe(5);
    expect(await allTransactions(service)).toEqual([]);
  });

  it('a scheduler is known by a key of its own, from the environment', async () => {
    const { job, run, words, env, folder, ben, passphrase } = await office();
    const said = { ...env, PAYRUN_AS: ben.file, PAYRUN_PASSPHRASE_FILE: passphrase };
    const planned = await payrun(words('run', job, '--yes', '--json'), { env: said, cwd: folder });
    expect(planned.exit).toBe(6);
    const { run_id } = JSON.parse(planned.stdout);
    expect((await run('show', run_id)).stdout).toContain('approvals: 0 of 1');
    // What nobody has to approve is made by nobody in particular.
    const file = await payrun(words('plan', join(folder, 'payroll.csv')), { env: said, cwd: folder });
    expect([file.exit, file.stderr]).toEqual([0, expect.stringContaining('--as has no effect here')]);
  });
});

describe('a plan whose job asks for more today', () => {
  it('is refused (6), or where the job cannot be read (2), and run once the job is as it was', async () => {
    const { plan, approve, run, anna, ben, job, text, service } = await office();
    const { run_id } = JSON.parse((await plan(ben, '--json')).stdout);
    expect((await approve(anna, run_id)).exit).toBe(0);
    writeFileSync(job, text.replace(/^ +- \{name: Anna, .*\n/m, ''));
    const refused = await run('run', run_id, '--yes');
    expect([refused.exit, refused.stderr]).toEqual([
      6,
      expect.stringContaining('Anna, with the key of the plan, is no'),
    ]);
    expect(refused.stderr).toContain('Create a new plan and look at it: `payrun plan pay.yaml ');
    rmSync(job);
    const gone = await run('run', run_id, '--yes');
    expect([gone.exit, gone.stderr]).toEqual([2, expect.stringContaining('whose file cannot be read now')]);
    expect(await allTransactions(service)).toEqual([]);
    writeFileSync(job, text);
    expect((await run('run', run_id, '--yes')).exit).toBe(0);
  });
});
