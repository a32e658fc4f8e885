/**
 * What the code needs of a logger. Account numbers and keys are never given to it. `isDebugOff`: lines of `debug` go nowhere, so
 * that nobody need make them.
 */
export type Log = {
  readonly isDebugOff?: boolean;
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
};

/** The same log, with these fields in each line. */
export function logWith(log: Log, fields: Record<string, unknown>): Log {
  return {
    isDebugOff: log.isDebugOff === true,
    debug: (more, message) => log.debug({ ...fields, ...more }, message),
    info: (more, message) => log.info({ ...fields, ...more }, message),
    warn: (more, message) => log.warn({ ...fields, ...more }, message),
    error: (more, message) => log.error({ ...fields, ...more }, message),
  };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
