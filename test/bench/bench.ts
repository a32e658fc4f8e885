// npm run bench: ratios measured side by side in one run on this machine, rounds interleaved. Nothing here is a gate.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { generatePain001 } from '../support/generate-pain001.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { generateWorkbook } from '../support/generate-workbook.ts';
import { spoilPayroll } from '../support/spoil-payroll.ts';
import { benchCluster } from './cluster.ts';
import { type Measured, measure, median } from './measure.ts';
import { benchPage } from './page.ts';
import { benchPayees } from './payees.ts';
import { withPeer } from './peer-process.ts';
import { benchPeers } from './peers.ts';
import { benchResume } from './resume.ts';
import { benchRows } from './rows.ts';
import { benchService } from './service.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** As users have it: `npm run build` is made first. */
const PAYRUN = here('../../dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
const parts = process.argv.slice(2);
const wants = (part: string) => parts.length === 0 || parts.includes(part);

const print = (line: string) => process.stdout.write(`${line}\n`);
const perSecond = (rows: number, runs: Measured[]) => rows / (median(runs.map(({ wallMs }) => wallMs)) / 1_000);
const spread = (rows: number, runs: Measured[]) => {
  const all = runs.map(({ wallMs }) => Math.round(rows / (wallMs / 1_000)));
  return `${Math.min(...all)}–${Math.max(...all)}`;
};
const cpu = (runs: Measured[]) => median(runs.map(({ cpuMs }) => cpuMs));
const mebibytes = (runs: Measured[]) => Math.round(Math.max(...runs.map(({ peakBytes }) => peakBytes)) / 2 ** 20);
const lineOf = (name: string, rows: number, runs: Measured[]) =>
  `  ${name.padEnd(32)} ${Math.round(perSecond(rows, runs))} rows/s [${spread(rows, runs)}]  ${(cpu(runs) / 1_000).toFixed(2)} s of processor  ${mebibytes(runs)} MiB`;

async function benchCheck(rows: number, rounds: number): Promise<void> {
  const path = join(folder, `check-${rows}.csv`);
  const spoilt = join(folder, `check-${rows}-spoilt.csv`);
  await generatePayroll({ rows, path, seed: 1, mode: 'full' });
  await spoilPayroll(path, spoilt);
  const floor: Measured[] = [];
  const check: Measured[] = [];
  const wrong: Measured[] = [];
  // Else the journal of this checkout would be compared too.
  const where = ['--json', '--data-dir', join(folder, 'no-journal')];
  for (let round = 0; round < rounds; round++) {
    floor.push(await measure([here('./csv-parse-alone.ts'), path]));
    check.push(await measure([PAYRUN, 'check', path, ...where]));
    wrong.push(await measure([PAYRUN, 'check', spoilt, ...where], { exits: [3] }));
  }
  print(`check, ${rows.toLocaleString('en')} rows; ratios of processor time`);
  print(lineOf('csv-parse alone (columns, info)', rows, floor));
  print(lineOf('payrun check', rows, check));
  print(lineOf('payrun check, each row wrong', rows, wrong));
  print(`  ratio                            ${(cpu(floor) / cpu(check)).toFixed(2)}  (aim 0.8)`);
  print(`  each row wrong to a clean file   ${(cpu(wrong) / cpu(check)).toFixed(2)}  (aim below 2)`);
}

async function benchWorkbook(rows: number, rounds: number): Promise<void> {
  const path = join(folder, `check-${rows}.xlsx`);
  await generateWorkbook({ rows, path, seed: 3 });
  const floor: Measured[] = [];
  const check: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    floor.push(await measure([here('./xlsx-alone.ts'), path]));
    check.push(await measure([PAYRUN, 'check', path, '--json']));
  }
  const paid = Number(floor[0]?.stdout) - 1;
  print(`check, a workbook of ${paid.toLocaleString('en')} rows of ten columns; ratios of processor time`);
  print(lineOf('read-excel-file alone', paid, floor));
  print(lineOf('payrun check', paid, check));
  print(`  ratio                            ${(cpu(floor) / cpu(check)).toFixed(2)}  (aim 1, in half the memory)`);
}

async function benchPain001(payments: number, rounds: number): Promise<void> {
  const path = join(folder, `payments-${payments}.xml`);
  await generatePain001(path, payments);
  const floor: Measured[] = [];
  const check: Measured[] = [];
  const where = ['--json', '--data-dir', join(folder, 'no-journal')];
  for (let round = 0; round < rounds; round++) {
    floor.push(await measure([here('./saxes-alone.ts'), path]));
    check.push(await measure([PAYRUN, 'check', path, ...where]));
  }
  if (!check.every(({ stdout }) => JSON.parse(stdout).payouts === payments))
    throw new Error('the check did not read each payment');
  const line = (name: string, runs: Measured[]) =>
    print(
      `  ${name.padEnd(32)} ${Math.round(perSecond(payments, runs))} payments/s  ${(cpu(runs) / 1_000).toFixed(2)} s of processor  ${mebibytes(runs)} MiB`,
    );
  print(`check, a pain.001 of ${payments.toLocaleString('en')} payments; ratios of processor time`);
  line('saxes alone', floor);
  line('payrun check', check);
  print(`  ratio                            ${(cpu(floor) / cpu(check)).toFixed(2)}  (aim: below 250 MiB)`);
}

async function benchRun(rows: number, rounds: number): Promise<void> {
  const path = join(folder, `run-${rows}.csv`);
  await generatePayroll({ rows, path, seed: 2, mode: 'existing_accounts' });
  const keyFile = join(folder, 'key.pem');
  await measure([PAYRUN, 'keys', 'new', keyFile]);
  const floor: Measured[] = [];
  const run: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    await withPeer(async (peer) => {
      floor.push(await measure([here('./floor.ts'), path, String(peer.port), join(folder, `floor-${round}.db`)]));
      if ((await peer.transfers()) !== rows) throw new Error('the floor did not send each payout once');
    });
    await withPeer(async (peer) => {
      const data = join(folder, `data-${round}`);
      const service = ['--base-url', `http://127.0.0.1:${peer.port}`, '--api-key', 'key', '--signing-key', keyFile];
      const pace = ['--rate', '0', '--concurrency', '64', '--poll-every', '100ms'];
      const where = ['--data-dir', data, '--report-dir', join(data, 'reports')];
      run.push(await measure([PAYRUN, 'run', path, '--yes', '--json', '--quiet', ...service, ...pace, ...where]));
      if ((await peer.transfers()) !== rows) throw new Error('the run did not send each payout once');
    });
  }
  const ratio = perSecond(rows, run) / perSecond(rows, floor);
  print(`run, ${rows.toLocaleString('en')} payouts without a rate limit, from the process's start to its exit`);
  print(
    `  straight-line floor  ${Math.round(perSecond(rows, floor))} payouts/s [${spread(rows, floor)}]  ${mebibytes(floor)} MiB`,
  );
  print(
    `  payrun run           ${Math.round(perSecond(rows, run))} payouts/s [${spread(rows, run)}]  ${mebibytes(run)} MiB`,
  );
  print(`  ratio                ${ratio.toFixed(2)}  (aim 0.6)`);
  print(`  processor time       ${(cpu(run) / cpu(floor)).toFixed(2)} times the floor's`);
}

async function benchStart(rounds: number): Promise<void> {
  const commands = {
    'node -e 0': ['-e', '0'],
    'payrun --help, compiled as it is published': [PAYRUN, '--help'],
    'payrun --help in a checkout, types stripped': [here('../../src/cli/main.ts'), '--help'],
  };
  const walls = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  // The first round fills the compile caches and is not counted.
  for (let round = -1; round < rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const { wallMs } = await measure(args, { peak: false });
      if (round >= 0) walls.get(name)?.push(wallMs);
    }
  }
  const floorMs = median(walls.get('node -e 0') ?? []);
  print('start-up');
  for (const [name, all] of walls) {
    print(`  ${name.padEnd(44)} ${median(all).toFixed(1)} ms, ratio ${(median(all) / floorMs).toFixed(2)}`);
  }
  print('  (aim below 5)');
}

try {
  print(`Node ${process.version}, ${cpus().length} cores; medians of interleaved rounds, [least–most]`);
  execFileSync('npm', ['run', '-s', 'build'], { cwd: here('../..') });
  if (wants('start')) await benchStart(15);
  if (wants('check')) {
    await benchCheck(100_000, 3);
    await benchCheck(1_000_000, 3);
  }
  if (wants('xlsx')) await benchWorkbook(114_286, 9);
  if (wants('pain001')) await benchPain001(1_000_000, 1);
  if (wants('run')) await benchRun(40_000, 3);
  if (wants('resume')) for (const line of await benchResume(folder, PAYRUN, 1_000_000, 3)) print(line);
  if (wants('payees')) for (const line of await benchPayees(folder, PAYRUN, 1_000)) print(line);
  if (wants('peers')) for (const line of await benchPeers(folder, PAYRUN, 5_000, 3)) print(line);
  if (wants('cluster')) await benchCluster(folder, PAYRUN, 10_000, 3);
  if (wants('page')) await benchPage(folder, PAYRUN, 10_000, 5);
  if (wants('rows')) await benchRows(folder, { large: 100_000, small: 100 }, 25);
  if (wants('service')) await benchService(folder, 9);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
