/** Why the page refuses something. */
export type PageReason =
  /** The page's database cannot be used. `versions`: the schema that it has, and the newest that this payrun knows. */
  | ({ code: 'page_store_unusable'; path: string } & StoreFault)
  /** Another process shows the page of the data directory; `holder` is null where it has not noted who it is. */
  | { code: 'page_open'; dataDir: string; holder: PageHolder | null }
  | { code: 'sign_in_busy' }
  /** The database that the pages share does not answer, or not as it should: nothing was done. */
  | { code: 'page_database_away'; cause: string }
  /** It was lost while something was written: that may have been done, or not. */
  | { code: 'page_change_uncertain'; cause: string }
  /** Other pages kept it locked: nothing was done. */
  | { code: 'page_busy' }
  /** The job that an upload was for is gone. */
  | { code: 'job_gone'; job: string }
  /** The run whose rows a file corrects cannot be read at this moment. */
  | { code: 'corrected_run_unreadable' };

export type StoreFault =
  | { why: 'another_program' | 'no_wal' }
  | { why: 'newer'; versions: { found: number; known: number } }
  | { why: 'unreadable'; cause: string };

/** `url` is null until it is known. */
export type PageHolder = { pid: number; host: string; url: string | null };
