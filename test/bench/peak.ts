// Loaded with --import into a measured process: writes its peak memory (bytes) where PAYRUN_BENCH_PEAK says.
import { writeFileSync } from 'node:fs';
import process from 'node:process';

process.on('exit', () => {
  const file = process.env.PAYRUN_BENCH_PEAK;
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS * 1_024));
});
