import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { signStatement, statementOf } from '../../src/approval/statement.ts';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import type { Approval } from '../../src/domain/plan.ts';
import type { foldRun } from '../../src/domain/run/run.ts';
import { foldPages } from '../../src/journal/pages.ts';
import { asPerson, PASSPHRASE, type TestApprover, testApprover } from '../support/approvers.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions, arrivals } from '../support/service-admin.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ROWS = [
  'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000',
  'E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000',
];
const TOTAL = '1032.50 AUD';
const LONE = 'required: 1';
const BANDS = 'bands: [{over: AUD 1032.49, required: 2}, {over: USD 1, required: 3}]';

/** A job with three approvers, a service of its own, and what people do. Plans are made by petra. */
async function office(policy: string = LONE) {
  const folder = temporaryFolder();
  const file = join(folder, 'payroll.csv');
  writeFileSync(file, `${[HEADER, ...ROWS].join('\n')}\n`);
  const service = await startService({ dataDir: join(folder, 'service') });
  const approvers: TestApprover[] = [];
  for (const [at, name] of ['Anna', 'Ben', 'Petra'].entries()) approvers.push(await testApprover(folder, name, at + 1));
  const [anna, ben, petra] = approvers as [TestApprover, TestApprover, TestApprover];
  const lines = approvers.map(({ name, publicKey }) => `    - {name: ${name}, public_key: ${publicKey}}`);
  const job = join(folder, 'pay.yaml');
  writeFileSync(job, `input: payroll.csv\napproval:\n  ${policy}\n  approvers:\n${lines.join('\n')}\n`);
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${PASSPHRASE}\n`, { mode: 0o600 });
  const data = join(folder, 'data');
  const where = ['--data-dir', data, '--report-dir', join(folder, 'reports')];
  const at = [...service.options, ...where];
  const env = asPerson('petra');
  const words = ({ file: key }: TestApprover, runId: string) => {
    const how = ['--passphrase-file', passphrase, '--total', TOTAL];
    return ['approve', runId, '--key', key, '--data-dir', data, '--json', ...how];
  };
  const plan = async () => JSON.parse((await payrun(['plan', job, '--json', ...at], { env })).stdout);
  const approve = (who: TestApprover, runId: string, account = who.name.toLowerCase(), more: string[] = []) =>
    payrun([...words(who, runId), ...more], { env: asPerson(account) });
  const run = (runId: string) => payrun(['run', runId, '--yes', '--json', ...where], { env });
  const show = async (runId: string) =>
    JSON.parse((await payrun(['show', runId, '--json', '--data-dir', data], { env })).stdout);
  return { folder, file, job, service, data, at, env, anna, ben, petra, passphrase, words, plan, approve, run, show };
}

type Office = Awaited<ReturnType<typeof office>>;

/** That the plan is refused (6) without one request, and what is said. */
async function expectRefused({ service, run }: Office, runId: string): Promise<string> {
  const before = await arrivals(service);
  const { exit, stderr } = await run(runId);
  expect([exit, stderr]).toEqual([6, expect.stringContaining('missing. Nothing was sent.')]);
  expect(await arrivals(service)).toEqual(before);
  return stderr;
}

/** Writes an approval into the journal as a program of somebody else could. */
async function smuggle(data: string, runId: string, make: (run: ReturnType<typeof foldRun>) => Approval) {
  const journal = await openDataJournal({ dataDir: data });
  try {
    const approval = make(await foldPages(journal.readRun(runId)));
    const opened = await journal.openRun(runId);
    if (opened.outcome !== 'opened') throw new Error(opened.outcome);
    await opened.writer.append([{ kind: 'approved', approval }]);
    await opened.writer.release();
  } finally {
    await journal.close();
  }
}

describe('a plan that has to be approved', () => {
  it('is run once as many approvers have signed as its band asks for', async () => {
    const given = await office(BANDS);
    const { anna, ben, plan, approve, run, show, folder, service } = given;
    const planned = await plan();
    expect(planned).toMatchObject({ approvals_needed: 2, exit: 0 });
    expect(planned.next).toContain(`payrun approve ${planned.run_id}`);
    expect(await expectRefused(given, planned.run_id)).toContain('2 of them are missing');

    const first = await approve(anna, planned.run_id);
    expect(first.stderr).toContain(`total      ${TOTAL} in 2 payouts, fees 0.40\n`);
    expect(first.stderr).toContain(`digest     ${planned.digest}\n`);
    expect(first.stderr).toMatch(/approvers {2}2 of Anna, Ben\n|approvers {2}Anna and Ben\n/);
    expect(JSON.parse(first.stdout)).toMatchObject({
      digest: planned.digest,
      approved: { approver: 'Anna', by: expect.stringMatching(/^anna@/), public_key: anna.publicKey },
      approvals_needed: 2,
      approvals_missing: 1,
      next: expect.stringContaining(`payrun approve ${planned.run_id}`),
    });
    const said = await expectRefused(given, planned.run_id);
    expect(said).toContain('1 of them is missing');
    expect(said).toMatch(/To be approved by Ben: payrun approve/);
    const again = await approve(anna, planned.run_id);
    expect([again.exit, again.stderr]).toEqual([6, expect.stringContaining('Anna has already approved this plan')]);

    expect(JSON.parse((await approve(ben, planned.run_id)).stdout)).toMatchObject({
      approvals_missing: 0,
      next: expect.stringContaining(`payrun run ${planned.run_id}`),
    });
    expect((await show(planned.run_id)).approvals).toMatchObject([
      { approver: 'Anna', counts: true, why_not: null },
      { approver: 'Ben', counts: true, why_not: null },
    ]);
    const done = await run(planned.run_id);
    expect([done.exit, JSON.parse(done.stdout).digest]).toEqual([0, planned.digest]);
    expect(await allTransactions(service)).toHaveLength(2);
    const report = JSON.parse(readFileSync(join(folder, 'reports', planned.run_id, 'report.json'), 'utf8'));
    expect(report.approvals).toMatchObject([{ approver: 'Anna', counts: true }, { approver: 'Ben' }]);
    const late = await approve(anna, planned.run_id);
    expect([late.exit, late.stderr]).toEqual([6, expect.stringContaining('has already started')]);
  });

  it('is what run JOB makes, and no more (6), whatever --yes says', async () => {
    const { job, at, env, service, anna, approve, run } = await office();
    const refused = await payrun(['run', job, '--yes', '--json', ...at], { env });
    expect(refused.exit).toBe(6);
    const planned = JSON.parse(refused.stdout);
    expect(planned).toMatchObject({ state: 'planned', approvals_needed: 1, exit: 6 });
    expect(refused.stderr).toContain('nothing was sent');
    expect(await allTransactions(service)).toEqual([]);
    expect(Object.keys(await arrivals(service)).filter((name) => /create|add|transfer/.test(name))).toEqual([]);
    expect((await approve(anna, planned.run_id)).exit).toBe(0);
    expect((await run(planned.run_id)).exit).toBe(0);
  });

  it('says so to people, with who may sign it and the literal next command', async () => {
    const { job, at, env, data } = await office();
    const { stdout } = await payrun(['plan', job, ...at], { env });
    expect(stdout).toMatch(/^To be approved by 1 of Anna, Ben; not by petra@.*, who made the plan\.$/m);
    const next = /^Nothing was sent\. Next: (payrun approve (R\S+) --key FILE --data-dir .*)$/m.exec(stdout);
    expect(next).not.toBeNull();
    const shown = await payrun(['show', next?.[2] ?? '', '--data-dir', data]);
    expect(shown.stdout).toContain('approvals: 0 of 1\n');
    expect(shown.stdout).toContain(`go on with   ${next?.[1]}`);
  });

  it('is refused (6), and not written, where no one else than who makes it is left to approve it', async () => {
    const { job, at, data } = await office('required: 3');
    const refused = await payrun(['plan', job, ...at], { env: asPerson('ben') });
    expect([refused.exit, refused.stderr]).toEqual([6, expect.stringContaining('there are 2 approvers')]);
    expect(JSON.parse((await payrun(['runs', '--json', '--data-dir', data])).stdout).runs).toEqual([]);
  });
});

describe('payrun approve', () => {
  type Attempt = (given: Office, runId: string) => ReturnType<typeof payrun>;
  const UNCHANGED: [string, number, RegExp, Attempt][] = [
    [
      'the key of nobody',
      6,
      /not that of an approver/,
      async ({ folder, approve }, runId) => approve(await testApprover(folder, 'Stranger', 9), runId),
    ],
    [
      'who made the plan, by name',
      6,
      /petra@.* made this plan/,
      ({ petra, approve }, runId) => approve(petra, runId, 'somebody'),
    ],
    [
      'whoever works under the account that made the plan',
      6,
      /made from this account \(petra@.*\).*preparers:/s,
      ({ anna, approve }, runId) => approve(anna, runId, 'petra'),
    ],
    [
      'a wrong total',
      6,
      /not 1032\.5 AUD/,
      ({ anna, approve }, runId) => approve(anna, runId, 'anna', ['--total', '1032.5 AUD']),
    ],
    [
      'no total without a terminal',
      6,
      /cannot be asked for/,
      ({ anna, data, passphrase }, runId) =>
        payrun(['approve', runId, '--key', anna.file, '--passphrase-file', passphrase, '--data-dir', data]),
    ],
    [
      'no passphrase without a terminal',
      6,
      /--passphrase-file/,
      ({ anna, data }, runId) => payrun(['approve', runId, '--key', anna.file, '--total', TOTAL, '--data-dir', data]),
    ],
    [
      'a wrong passphrase',
      2,
      /does not open with this passphrase/,
      ({ anna, approve, folder }, runId) => {
        const other = join(folder, 'other');
        writeFileSync(other, 'another\n', { mode: 0o600 });
        return approve(anna, runId, 'anna', ['--passphrase-file', other]);
      },
    ],
    [
      'a key file that is not there',
      2,
      /is not there.*payrun keys new --approver \S*nobody\.age$/ms,
      ({ anna, approve, folder }, runId) => approve({ ...anna, file: join(folder, 'nobody.age') }, runId),
    ],
    [
      'a key file that others can read',
      2,
      /the key file .* has mode 0640/,
      async ({ approve, folder }, runId) => {
        const open = await testApprover(folder, 'Anna-open', 1);
        chmodSync(open.file, 0o640);
        return approve(open, runId, 'anna');
      },
    ],
    [
      'a passphrase file that others can read',
      2,
      /the passphrase file .* has mode 0644/,
      ({ anna, approve, folder }, runId) => {
        const open = join(folder, 'open');
        writeFileSync(open, PASSPHRASE);
        chmodSync(open, 0o644);
        return approve(anna, runId, 'anna', ['--passphrase-file', open]);
      },
    ],
    [
      'a key that is not encrypted',
      2,
      /is not encrypted/,
      async ({ anna, approve, folder }, runId) => {
        const plain = join(folder, 'plain.pem');
        newKey(plain);
        return approve({ ...anna, file: plain }, runId);
      },
    ],
  ];
  it('refuses whoever may not sign, with a reason of its own, and writes nothing', async () => {
    const given = await office();
    const { run_id } = await given.plan();
    for (const [what, exit, message, attempt] of UNCHANGED) {
      const refused = await attempt(given, run_id);
      expect([what, refused.exit, refused.stderr]).toEqual([what, exit, expect.stringMatching(message)]);
    }
    expect(approvedIn(given)).toBe(0);
  });

  const CHANGED: [string, number, RegExp, Attempt][] = [
    [
      'a file that was changed since',
      6,
      /payroll\.csv, which was changed/,
      ({ anna, approve, file }, runId) => {
        appendFileSync(file, '\n');
        return approve(anna, runId);
      },
    ],
    [
      'a plan that was cancelled',
      6,
      /cancelled/,
      async ({ anna, approve, data }, runId) => {
        await payrun(['cancel', runId, '--data-dir', data]);
        return approve(anna, runId);
      },
    ],
    [
      'a plan whose rows were exchanged',
      5,
      /changed after it was written/,
      ({ anna, approve, data }, runId) => {
        using database = new DatabaseSync(join(data, 'journal.db'));
        database.exec('DROP TRIGGER entry_is_never_changed');
        database.prepare("UPDATE entry SET data = replace(data, '12345678', '12345677') WHERE kind = 'rows'").run();
        return approve(anna, runId);
      },
    ],
    [
      'a run that another process holds',
      7,
      /held by process/,
      async ({ anna, approve, data }, runId) => {
        const journal = await openDataJournal({ dataDir: data });
        const opened = await journal.openRun(runId);
        const ended = await approve(anna, runId);
        if (opened.outcome === 'opened') await opened.writer.release();
        await journal.close();
        return ended;
      },
    ],
  ];
  it.each(CHANGED)('refuses %s (%i) and writes nothing', async (_, exit, message, attempt) => {
    const given = await office();
    const { run_id } = await given.plan();
    const refused = await attempt(given, run_id);
    expect([refused.exit, refused.stderr]).toEqual([exit, expect.stringMatching(message)]);
    expect(approvedIn(given)).toBe(0);
  });

  it('tells whose approval nobody needs any more what is next', async () => {
    const given = await office();
    const { folder, anna, petra, plan, approve } = given;
    const { run_id } = await plan();
    expect((await approve(anna, run_id)).exit).toBe(0);
    const stranger = await testApprover(folder, 'Stranger', 9);
    for (const refused of [
      await approve(stranger, run_id),
      await approve(petra, run_id),
      await approve(given.ben, run_id, 'petra'),
    ]) {
      expect(refused.exit).toBe(6);
      expect(refused.stderr).toMatch(new RegExp(`^Next: payrun run ${run_id} --data-dir \\S+$`, 'm'));
      expect(refused.stderr).not.toContain('To be approved');
    }
  });

  it('says (6) that a new plan is needed where the same was run meanwhile, since no approval lets it be repeated', async () => {
    const { folder, job, file, data, anna, plan, approve } = await office();
    const { run_id } = await plan();
    // At the same service it would be refused beside the plan.
    const elsewhere = ['--data-dir', data, '--report-dir', join(folder, 'reports')];
    const meanwhile = JSON.parse((await payrun(['run', file, '--yes', '--json', ...elsewhere])).stdout).run_id;
    const { exit, stderr } = await approve(anna, run_id);
    expect([exit, stderr]).toEqual([
      6,
      expect.stringContaining(`The same payment was run in the meantime, as ${meanwhile}, a rehearsal.`),
    ]);
    expect(stderr).toContain(`\`payrun plan ${job} --allow-repeat ${meanwhile} --data-dir `);
    expect(stderr).toContain('have it approved');
  });

  it('takes the number of the total alone, since the plan has one currency', async () => {
    const given = await office();
    const { run_id: runId } = await given.plan();
    const number = TOTAL.split(' ')[0] ?? '';
    const approved = await given.approve(given.anna, runId, 'anna', ['--total', number]);
    expect([approved.exit, approved.stderr]).toEqual([0, expect.stringContaining(TOTAL)]);
  });

  it('refuses (6) a plan that needs no approval', async () => {
    const { file, at, anna, approve } = await office();
    const { run_id } = JSON.parse((await payrun(['plan', file, '--json', ...at])).stdout);
    const { exit, stderr } = await approve(anna, run_id);
    expect([exit, stderr]).toEqual([6, expect.stringContaining('needs no approval')]);
  });
});

describe('an approval does not count', () => {
  const good = ({ anna }: Office, run: ReturnType<typeof foldRun>, changes: object = {}, key = anna.key): Approval => {
    if (run.plan === null || run.header === null) throw new Error('no plan');
    const signedAt = Date.now();
    const who = { approver: 'Anna', publicKey: key.publicKey };
    const statement = statementOf(run.plan, run.header.digest, who, { signedAt, expiresAt: signedAt + 60_000 });
    return signStatement({ ...statement, ...changes }, key, 'anna@laptop');
  };

  const VOID: [string, RegExp, (given: Office, run: ReturnType<typeof foldRun>) => Approval][] = [
    [
      'with an edited signature',
      /signature is not/,
      (given, run) => {
        const approval = good(given, run);
        const first = approval.signature.startsWith('A') ? 'B' : 'A';
        return { ...approval, signature: first + approval.signature.slice(1) };
      },
    ],
    [
      'with a truncated signature',
      /signature is not/,
      (given, run) => {
        const approval = good(given, run);
        return { ...approval, signature: approval.signature.slice(0, -4) };
      },
    ],
    [
      'that was put off after it was signed',
      /signature is not/,
      (given, run) => {
        const approval = good(given, run);
        return { ...approval, expires_at: approval.expires_at + 1 };
      },
    ],
    [
      'of a foreign key under the name of an approver',
      /not that of an approver/,
      (given, run) => good(given, run, {}, given.petra.key),
    ],
    ['of another plan', /another plan/, (given, run) => good(given, run, { digest: 'a'.repeat(64) })],
  ];
  it('that is not by an approver, or of another plan', async () => {
    const given = await office();
    for (const [what, why, make] of VOID) {
      const { run_id } = await given.plan();
      await smuggle(given.data, run_id, (run) => make(given, run));
      expect([what, await expectRefused(given, run_id)]).toEqual([what, expect.stringMatching(why)]);
      expect((await given.show(run_id)).approvals).toMatchObject([{ counts: false }]);
    }
  });

  it('a second time, copied', async () => {
    const given = await office(BANDS);
    const { run_id } = await given.plan();
    await given.approve(given.anna, run_id);
    await smuggle(given.data, run_id, (run) => run.approvals[0] as Approval);
    expect(await expectRefused(given, run_id)).toContain('has signed before');
  });

  it('of a plan that was made again, after the file was changed', async () => {
    const given = await office();
    const first = await given.plan();
    await given.approve(given.anna, first.run_id);
    writeFileSync(given.file, readFileSync(given.file, 'utf8').replace('20.00', '21.00'));
    const { exit, stderr } = await given.run(first.run_id);
    expect([exit, stderr]).toEqual([6, expect.stringContaining('was changed since')]);
    const second = await given.plan();
    const approval = await approvalOf(given.data, first.run_id);
    await smuggle(given.data, second.run_id, () => approval);
    expect(await expectRefused(given, second.run_id)).toContain('another plan');
    expect(await allTransactions(given.service)).toEqual([]);
  });

  it('when it has expired; a new one of the same approver does', async () => {
    const given = await office('valid_for: 5s');
    const { run_id } = await given.plan();
    await given.approve(given.anna, run_id);
    await until(async () => (await given.show(run_id)).approvals[0].counts === false);
    expect(await expectRefused(given, run_id)).toContain('does not count: it has expired');
    const renewed = await given.approve(given.anna, run_id);
    expect([renewed.exit, renewed.stderr]).toEqual([0, expect.not.stringContaining('already')]);
  });
});

describe('kill -9 of approve', () => {
  it('before it wrote leaves nothing, and the plan can be approved', async () => {
    const given = await office();
    const { run_id } = await given.plan();
    const database = new DatabaseSync(join(given.data, 'journal.db'));
    database.exec('BEGIN IMMEDIATE');
    const started = start(given.words(given.anna, run_id), { env: asPerson('anna') });
    await started.wrote(/digest {5}/);
    started.child.kill('SIGKILL');
    await started.ended;
    database.exec('ROLLBACK');
    database.close();
    await expectRefused(given, run_id);
    expect((await given.show(run_id)).approvals).toEqual([]);
    expect((await given.approve(given.anna, run_id)).exit).toBe(0);
    expect((await given.run(run_id)).exit).toBe(0);
  });

  it('after it wrote leaves a valid approval', async () => {
    const given = await office();
    const { run_id } = await given.plan();
    const started = start(given.words(given.anna, run_id), { env: asPerson('anna') });
    using database = new DatabaseSync(join(given.data, 'journal.db'));
    const approved = database.prepare("SELECT count(*) AS n FROM entry WHERE kind = 'approved'");
    await until(async () => Number(approved.get()?.n) === 1);
    started.child.kill('SIGKILL');
    await started.ended;
    expect((await given.show(run_id)).approvals).toMatchObject([{ approver: 'Anna', counts: true }]);
    expect((await given.run(run_id)).exit).toBe(0);
  });
});

/** How many approvals the journal holds. */
function approvedIn({ data }: Office): number {
  using database = new DatabaseSync(join(data, 'journal.db'));
  return Number(database.prepare("SELECT count(*) AS n FROM entry WHERE kind = 'approved'").get()?.n);
}

/** The first approval that the journal holds of a run. */
async function approvalOf(data: string, runId: string): Promise<Approval> {
  const journal = await openDataJournal({ dataDir: data });
  try {
    return (await foldPages(journal.readRun(runId))).approvals[0] as Approval;
  } finally {
    await journal.close();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5);
}
