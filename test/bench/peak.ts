// Loaded with --import into a measured process: writes its peak memory (bytes) where PAYRUN_BENCH_PEAK says, and beside it,
// into a file whose name ends in .cpu, how long it had a processor (ms).
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

process.on('exit', () => {
  const file = process.env.PAYRUN_BENCH_PEAK;
  if (!file) return;
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(file, String(peakBytes()));
  writeFileSync(`${file}.cpu`, String((userCPUTime + systemCPUTime) / 1_000));
});

/** Peak memory of this process alone. On Linux, maxRSS starts from the parent's peak, so VmHWM comes first. */
function peakBytes(): number {
  const own = process.platform === 'linux' ? /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) : null;
  return 1_024 * (own === null ? process.resourceUsage().maxRSS : Number(own[1]));
}
