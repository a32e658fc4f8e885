/** How a spreadsheet is read, as the options of `payrun check` of the same names. */
export type InputOptions = {
  sheet?: string;
  /** The sign that divides decimals. */
  decimal?: '.' | ',';
  /** An encoding such as `windows-1252`, where the file does not show its own. */
  encoding?: string;
  /** The currency of rows that name none, such as `GBP`. */
  currency?: string;
  /** Writes references in the characters that their rails carry. */
  foldReferences?: boolean;
  /** `CURRENCY=RAIL`, for rows that name no rail. */
  defaultRail?: readonly string[];
  /** `HEADER=column`, for headers that payrun does not know; an empty column ignores the header. */
  column?: readonly string[];
  /** The file of a job, in place of the one that it names. */
  file?: string;
  expectCount?: string;
  expectTotal?: readonly string[];
  /** Pays the rows without problems, and reports the others. */
  onlyValid?: boolean;
  /** The period of a job, such as `2026-11`. */
  period?: string;
  /** The earlier run that is knowingly paid again. */
  allowRepeat?: string;
  /** The file that names who approves, where no job does. */
  approval?: string;
  /** The key file of who makes the plan. */
  as?: string;
  /** The file with the passphrase of that key. */
  passphraseFile?: string;
};

/** Where the journal is and how the service is reached, as the options of `payrun run` of the same names. */
export type PayrunOptions = {
  /** Default `.payrun`. */
  dataDir?: string;
  /** `postgres://…`: the journal is there, and not in the data directory. Default: as the profile has it. */
  database?: string;
  /** A profile's `.yaml`. Without one, and without `baseUrl`, the shipped service is used: a rehearsal. */
  profile?: string;
  baseUrl?: string;
  apiKey?: string;
  /** The file of the signing key. */
  signingKey?: string;
  /** Requests per second, or `REQUESTS/SECONDSs`; `0` for no limit. */
  rate?: string;
  concurrency?: number;
  /** Durations such as `2s` or `10m`. */
  pollEvery?: string;
  waitTimeout?: string;
  reportDir?: string;
  logLevel?: 'error' | 'warn' | 'info' | 'debug';
};
