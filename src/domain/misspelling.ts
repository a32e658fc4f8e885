/**
 * How many letters must be left out, put in, exchanged for another or swapped with their neighbour to make `b` of `a`
 * (the restricted Damerau-Levenshtein distance), or `max + 1` where it is more than `max`.
 */
export function letterDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const line = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((above[j] ?? 0) + 1, (line[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      line.push(least);
    }
    if (Math.min(...line) > max && Math.min(...above) > max) return max + 1;
    before = above;
    above = line;
  }
  return Math.min(above[b.length] ?? 0, max + 1);
}

/** Those that are the fewest slips away, several where they are equally near. `slipsTo` is null where it is too far. */
export function nearest<Known>(known: Iterable<Known>, slipsTo: (one: Known) => number | null): Known[] {
  let least = Number.POSITIVE_INFINITY;
  let found: Known[] = [];
  for (const one of known) {
    const slips = slipsTo(one);
    if (slips === null || slips > least) continue;
    if (slips < least) found = [];
    least = slips;
    found.push(one);
  }
  return found;
}
