/** What the code needs of a logger. Account numbers and keys are never given to it. */
export type Log = {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
};

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
