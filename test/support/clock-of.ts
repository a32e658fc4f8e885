/** The environment of a process whose wall clock is off by the milliseconds in a file: see `set-clock.ts`. */
export function clockOf(file: string): Record<'NODE_OPTIONS' | 'CLOCK_OFFSET_FILE', string> {
  const preload = new URL('set-clock.ts', import.meta.url).href;
  return { NODE_OPTIONS: `--import ${preload}`, CLOCK_OFFSET_FILE: file };
}
