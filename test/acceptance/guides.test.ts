import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test, vi } from 'vitest';
import yargs from 'yargs';
import { jobSchema } from '../../src/job/job-file.ts';
import { profileSchema } from '../../src/job/profile-file.ts';
import { readYamlFile } from '../../src/job/yaml-file.ts';
import { faultOf, knownOptions } from '../support/command-line.ts';
import {
  blocksOf,
  brokenLinks,
  commandsOf,
  GUIDES,
  guideText,
  optionsNamedIn,
  type PrintedCommand,
  sectionOf,
} from '../support/guides.ts';
import { PROJECT, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { testBeside } from '../support/side-by-side.ts';

vi.mock('yargs', async (original) => {
  const { parseOnly } = await import('../support/parse-only.ts');
  return { default: parseOnly((await original<typeof import('yargs')>()).default) };
});

const { scripts, version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

const RUN_ID = /R\d{8}-[0-9A-Z]{8}/g;

/** A folder with the samples and jobs of the project, and what runs the commands of a guide there. */
function folderWithSamples() {
  const cwd = temporaryFolder();
  for (const name of ['samples', 'jobs']) cpSync(join(PROJECT, name), join(cwd, name), { recursive: true });
  return { cwd, run: (words: string[], env: Record<string, string> = {}) => payrun(words, { cwd, env }) };
}

const codeOf = (heading: string, language: string) =>
  blocksOf(sectionOf(guideText('README.md'), heading)).filter((block) => block.language === language);

describe.each(GUIDES)('%s', (guide) => {
  const text = guideText(guide);

  it('prints only command lines that the program takes', async () => {
    const faults: string[] = [];
    for (const { words } of commandsOf(text)) {
      const fault = await faultOf(words);
      if (fault !== null) faults.push(`payrun ${words.join(' ')}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });

  it('has links that lead somewhere', () => {
    expect(brokenLinks(guide)).toEqual([]);
  });

  it('shows YAML that a profile may hold, and a job that has all of the rest', () => {
    const blocks = blocksOf(text).filter(({ language }) => language === 'yaml');
    const profiles = blocks.filter((block) => block.text.startsWith('# profile.yaml'));
    const job = blocks.filter((block) => !profiles.includes(block)).map((block) => block.text);
    const file = join(temporaryFolder(), 'shown.yaml');
    for (const profile of profiles) {
      writeFileSync(file, profile.text);
      expect(readYamlFile(file, profileSchema), profile.text).toMatchObject({ ok: true });
    }
    writeFileSync(file, job.join(''));
    if (job.length > 0) expect(readYamlFile(file, jobSchema), job.join('')).toMatchObject({ ok: true });
  });
});

test('the guides name only options that some command has', async () => {
  for (const words of [
    ['keys', 'show'],
    ['service', 'verify'],
    ['service', 'webhook', 'list'],
  ])
    await faultOf(words);
  const known = knownOptions(() => yargs([]));
  expect(known).toContain('allow-private-webhooks');
  const unknown = GUIDES.flatMap((guide) =>
    optionsNamedIn(guideText(guide)).filter((name) => !known.has(name) && name !== 'help'),
  );
  expect(unknown).toEqual([]);
});

test('the guides name only scripts that package.json has', () => {
  const named = GUIDES.flatMap((guide) => [...guideText(guide).matchAll(/npm run (?:-s )?([a-z:]+)/g)]);
  expect(named.length).toBeGreaterThan(2);
  for (const [line, script] of named) expect(scripts, line).toHaveProperty(String(script));
});

test('README leads to every guide, and is short', () => {
  const readme = guideText('README.md');
  for (const guide of GUIDES.slice(1)) expect(readme).toContain(`](${guide}`);
  expect(readme.split(/\s+/).length).toBeLessThan(1_300);
  expect(readme).toContain(`./payrun-${version}.tgz`);
});

test('README names each command of the program', async () => {
  const { stdout } = await payrun(['--help']);
  const names = [...stdout.matchAll(/^ {2}payrun (\w+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(15);
  const table = sectionOf(guideText('README.md'), 'Commands');
  for (const name of names) expect(table).toMatch(new RegExp(`\`${name}\\b`));
});

const provenOf = (guide: string) => commandsOf(guideText(guide)).filter(({ exit }) => exit !== null);

for (const guide of GUIDES.filter((name) => provenOf(name).length > 0)) {
  testBeside(`the commands of ${guide} end with the exit codes that it names`, async () => {
    const { run } = folderWithSamples();
    for (const { words, exit } of provenOf(guide)) {
      const ended = await run(words[0] === 'run' ? [...words, '--yes'] : words);
      expect(ended.exit, `${words.join(' ')}\n${ended.stderr}`).toBe(exit);
    }
  });
}

testBeside('npm start prints what README shows', async () => {
  const [shown] = codeOf('Install', '');
  const words = String(scripts.start).replace('node src/cli/main.ts ', '').split(' ');
  const { exit, stdout } = await folderWithSamples().run([...words, '--rate', '0']);
  expect([exit, stdout.replaceAll(RUN_ID, 'RUN')]).toEqual([0, shown?.text.replaceAll(RUN_ID, 'RUN')]);
});

testBeside('the first real payment of README is made as it says, in its order', async () => {
  const { cwd, run } = folderWithSamples();
  cpSync(join(cwd, 'samples/payroll.csv'), join(cwd, 'payroll.csv'));
  const passphrase = join(cwd, 'passphrase');
  writeFileSync(passphrase, 'four words of nobody\n', { mode: 0o600 });
  const env: Record<string, string> = { PAYRUN_PASSPHRASE_FILE: passphrase };
  const service = await startService({ dataDir: join(cwd, 'service') });
  const heading = 'Your first real payment';
  const commands = codeOf(heading, 'sh').map(({ text }) => commandsOf(`\`\`\`sh\n${text}\`\`\``));
  const [keys = [], steps = []] = commands as [PrintedCommand[], PrintedCommand[]];
  const [profile = '', job = ''] = codeOf(heading, 'yaml').map(({ text }) => text);

  const made = [];
  for (const { words } of keys) made.push(JSON.parse((await run([...words, '--json'], env)).stdout));
  const [signing, ben, anna] = made;
  const admin = ['service', 'admin', '--admin-url', service.admin_url];
  const added = await run([...admin, 'key.add', `public_key=${signing.public_key}`]);
  env.PAYOUT_KEY_ID = JSON.parse(added.stdout).id;
  writeFileSync(join(cwd, 'profile.yaml'), profile.replace(/base_url: .*/, `base_url: ${service.base_url}`));
  const named = job.replace(/(Ben, public_key: )[\w-]+/, `$1${ben.public_key}`);
  mkdirSync(join(cwd, 'jobs'), { recursive: true });
  writeFileSync(join(cwd, 'jobs/salaries.yaml'), named.replace(/(Anna, public_key: )[\w-]+/, `$1${anna.public_key}`));

  let runId = '';
  // What a terminal would ask.
  const answers: Record<string, string[]> = { approve: ['--total', '46479.35 AUD'], run: ['--yes', '--rate', '0'] };
  for (const { words } of steps) {
    const now = words.map((word) => word.replace(RUN_ID, runId));
    const ended = await run([...now, ...(answers[now[0] ?? ''] ?? [])], env);
    expect(ended.exit, `${now.join(' ')}\n${ended.stdout}${ended.stderr}`).toBe(0);
    runId ||= ended.stdout.match(RUN_ID)?.[0] ?? '';
    if (now[0] === 'run') expect(ended.stdout).toContain(`Run ${runId} finished: 45 completed.`);
  }
  expect(steps.map(({ words }) => words[0])).toEqual(['check', 'plan', 'approve', 'run']);
});
