/** What only this machine knows, and nothing that others get may tell. */
export type Machine = {
  /** The checkout's absolute path. */
  root: string;
  /** The home directory of whoever runs this. */
  home: string;
  /** The host that packages come from here, or null for the public one. */
  registryHost: string | null;
};

const PUBLIC_REGISTRY = 'registry.npmjs.org';

/** Anybody's home directory, also that of another machine. */
const HOMES = /(?<![\w.~-])\/(?:(?:home|Users)\/[A-Za-z0-9_][\w.-]*|root)\/|[A-Z]:\\Users\\\w/;

/** Hosts in a lockfile are those of the machine that made it. */
const RESOLVED = /"resolved":\s*"https?:\/\/([^/"]+)/g;

/** Lines of a file that name a place of this machine, or a registry that others cannot reach. */
export function machineProblems(path: string, text: string, machine: Machine): string[] {
  const places = placesOf(machine);
  return text.split('\n').flatMap((line, at) => {
    const where = `${path}:${at + 1}`;
    const found = places.filter((place) => place.pattern.test(line)).map(({ what }) => `${where}: names ${what}`);
    for (const [, host] of line.matchAll(RESOLVED))
      if (host !== PUBLIC_REGISTRY) found.push(`${where}: takes a package from ${host}`);
    return found;
  });
}

function placesOf({ root, home, registryHost }: Machine): { pattern: RegExp; what: string }[] {
  const places = [{ pattern: HOMES, what: "somebody's home directory" }];
  // A checkout at the root of the file system, in /app or in /tmp has a parent that says nothing.
  const parents = [root, root.slice(0, root.lastIndexOf('/'))].filter((path) => path.length > 1 && path !== '/tmp');
  for (const path of new Set([...parents, home]))
    if (path.length > 1) places.push({ pattern: asPath(path), what: 'a directory of this machine' });
  if (registryHost !== null && registryHost !== PUBLIC_REGISTRY)
    places.push({ pattern: new RegExp(RegExp.escape(registryHost)), what: 'a registry that others cannot reach' });
  return places;
}

/** The path and what is under it, not as part of another path. */
function asPath(path: string): RegExp {
  return new RegExp(`(?<![\\w.~/-])${RegExp.escape(path)}(?![\\w.-])`);
}
