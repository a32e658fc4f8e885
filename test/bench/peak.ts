// Loaded with --import into a measured process: writes its peak memory (bytes) where PAYRUN_BENCH_PEAK says, and beside it,
// into a file whose name ends in .cpu, how long it had a processor (ms).
import { writeFileSync } from 'node:fs';
import process from 'node:process';

process.on('exit', () => {
  const file = process.env.PAYRUN_BENCH_PEAK;
  if (!file) return;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(file, String(maxRSS * 1_024));
  writeFileSync(`${file}.cpu`, String((userCPUTime + systemCPUTime) / 1_000));
});
