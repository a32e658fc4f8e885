import type { Currency } from './currencies.ts';
import type { NotifyEntry } from './notify.ts';
import type { PayoutOrder } from './payee.ts';
import type { Approval, PlanFacts } from './plan.ts';
import type { Profile, Promises } from './profile.ts';
import type { OnPage, Sayer } from './sayer.ts';

/** What can be signed again to the same bytes: Ed25519 is deterministic, so body and parameters fix the request. */
export type SignedRequest = {
  operation: string;
  body: string;
  /** Unix seconds. */
  created: number;
  /** Unix seconds: the deadline. The service refuses the request after it, where the profile says so. */
  expires: number;
  nonce: string;
};

/** One row of the input as the run keeps it: its own cells for the report, and the order unless it has problems. */
export type RunRow = {
  row: number;
  cells: string[];
  order: PayoutOrder | null;
  problem: { code: string; message: string } | null;
};

export type InputFile = {
  name: string;
  path: string;
  sha256: string;
  bytes: number;
  header: string[];
  /** For each header, the canonical column it feeds, or null for an unknown one that is only carried to the report. */
  columns: (string | null)[];
};

/** What is made for a payee before it can be paid. */
export type EnsureTarget = 'recipient' | 'account';

/** How we came to know a record of the service. */
export type Found = 'answer' | 'look' | 'resend' | 'person';

/** What happens to a run as a whole. */
export type RunEntry =
  | RunCreated
  | { kind: 'rows'; rows: RunRow[] }
  | PlanEntry
  /** `lease_id`: random, so that no other taking is the same one. Journals from before leases had ids have none. */
  | ({ kind: 'lease_taken'; epoch: number; holder: string; lease_id?: string | undefined } & OnPage)
  | { kind: 'canary'; row: number; transaction_id: string; visible_after_ms: number }
  | CanaryFailed
  | { kind: 'promises'; promises: Promises }
  /** A listing did not show a transaction that was accepted so long ago, or showed it only then. */
  | { kind: 'lag_seen'; transaction_id: string; lag_ms: number }
  /** The service made a transaction so long after the deadline of its request: expiry is not relied on any more. */
  | { kind: 'expiry_broken'; row: number; transaction_id: string; late_ms: number }
  /** The service was asked: it holds nothing that looks like a row which waits and that this journal does not know. */
  | { kind: 'accounted' }
  | NotifyEntry
  | EndEntry;

/** Why nothing more is done for now, or at all. What a person has `paused` goes on once one has `resumed` it. */
export type EndEntry =
  /** `replaced_by`: the plan that took the place of this one. */
  | ({ kind: 'cancelled'; replaced_by?: string | undefined } & Sayer)
  | ({ kind: 'paused' } & Sayer)
  | ({ kind: 'resumed' } & Sayer)
  /** `message`: why, in words, where there is more to say than the reason. */
  | { kind: 'stopped'; reason: StopReason; message?: string | undefined }
  | { kind: 'finished'; counts: Counts };

/** What happens to a run before it begins. */
export type PlanEntry =
  /**
   * What the run will do. Until a `started` nothing was done, and nothing may be. `signature` is that of who made it, where
   * the plan names their key.
   */
  | ({ kind: 'planned'; plan: PlanFacts; signature?: string | undefined; by?: string | undefined } & OnPage)
  | { kind: 'approved'; approval: Approval }
  /** Somebody said go. Runs without a `planned` began when they were created. */
  | ({ kind: 'started' } & Sayer);

export type RunCreated = {
  kind: 'run_created';
  run_id: string;
  input: InputFile;
  job: string | null;
  /** What a job pays once: a started run of the same job and period forbids another. */
  period: string | null;
  rehearsal: boolean;
  profile: Profile;
  settings: { poll_every_ms: number; wait_timeout_ms: number };
  digest: string;
  payouts: number;
  /** The service's records are known by these within one scope only: base URL and key. */
  scope: string;
  report_dir: string;
  /** The earlier run of the same input that a person allowed to repeat. */
  repeats: string | null;
  /** The run whose failed and rejected rows this one pays: under their numbers, and `input.sha256` is of no file. */
  retries: string | null;
  /** SHA-256 of the file that corrected rows were taken from; null where they are those of the run that is retried. */
  corrections_sha256: string | null;
  /** Of a job's run: where the job was read, and what it said of the service. */
  job_source: JobSource | null;
};

/** `base_url` and `api_key` are as the job or its profile writes them, null where it does not: nothing is resolved. */
export type JobSource = { file: string; base_url: string | null; api_key: string | null };

export type CanaryFailed = {
  kind: 'canary_failed';
  row: number;
  transaction_id: string;
  failed: 'get' | 'search';
  message: string;
};

export type StopReason = 'interrupted' | 'wait_timeout' | 'outage' | 'person_needed';

/** Why a creation in doubt that is not found is never made again by itself. */
export type EnsureUnresolvedAbout = 'no_expiry' | 'incomplete';

/** What happens to a recipient or an account that the run makes or finds. `key` names it within the run. */
export type EnsureEntry =
  | { kind: 'ensure_intent'; target: EnsureTarget; key: string; attempt: number; request: SignedRequest }
  | { kind: 'ensure_doubt'; target: EnsureTarget; key: string; attempt: number; reason: string }
  | { kind: 'ensure_no_effect'; target: EnsureTarget; key: string; attempt: number; reason: string }
  | { kind: 'ensure_rejected'; target: EnsureTarget; key: string; attempt: number; code: string; message: string }
  | EnsureUnresolved
  /** Several records of the service could be this one, or one that could be two: only a person can tell. */
  | { kind: 'ensure_ambiguous'; target: EnsureTarget; key: string; ids: string[] }
  | { kind: 'ensured'; target: EnsureTarget; key: string; id: string; by: 'created' | 'found'; scope: string };

/** A creation in doubt is parked for a person. */
export type EnsureUnresolved = {
  kind: 'ensure_unresolved';
  target: EnsureTarget;
  key: string;
  attempt: number;
  about: EnsureUnresolvedAbout;
  reason: string;
};

/** What happens to one payout. */
export type PayoutEntry =
  | Intent
  | { kind: 'accepted'; row: number; attempt: number; transaction_id: string; by: Found }
  /**
   * `answered`: the service said so. A network can deliver a request twice, so the first copy may say otherwise. `spent`:
   * no copy can take effect any more, and what one did is listed; without it another may until its deadline. `drifted`: the market had left its quote.
   */
  | {
      kind: 'no_effect';
      row: number;
      attempt: number;
      reason: string;
      answered: boolean;
      spent?: boolean;
      drifted?: boolean;
    }
  /** `spent` as above: the request's nonce is used up. Without it another copy may take effect until its deadline. */
  | { kind: 'rejected'; row: number; attempt: number; code: string; message: string; spent?: boolean }
  /** `drifted` as above. */
  | { kind: 'doubt'; row: number; attempt: number; reason: string; drifted?: boolean }
  | Replayed
  /** An accepted payout is in doubt again: the service does not know the transaction that its answer named. */
  | { kind: 'unknown_transaction'; row: number; attempt: number; transaction_id: string }
  | { kind: 'looked'; row: number; attempt: number; found: number; complete: boolean }
  | Absent
  | Unresolved
  | { kind: 'suspected'; row: number; attempt: number; transactions: string[]; reason: string }
  | Resolved
  | { kind: 'surfaced'; row: number; attempt: number; transaction_id: string }
  | Final
  | { kind: 'not_submitted'; row: number; code: string; message: string };

export type Intent = {
  kind: 'intent';
  row: number;
  attempt: number;
  token: string;
  external_account_id: string;
  recipient_id: string | null;
  /** What is sent. */
  amount_minor: string;
  currency: Currency;
  received: Received | null;
  request: SignedRequest;
};

/** What a payee receives of a payout that is converted; null where that is what is sent. JSON-safe. */
export type Received = { amount_minor: string; currency: Currency };

/**
 * The service had the request's bytes before (401 `REPLAYED`). `first`: what it says became of the first copy; null where
 * it says nothing.
 */
export type Replayed = { kind: 'replayed'; row: number; attempt: number; first: FirstCopy | null };

/** The HTTP status that the first copy of a request was answered with, and the transaction that it made. */
export type FirstCopy = { status: number; transaction_id: string | null };

/**
 * The attempt is proven to have taken no effect: by what the service listed, by a person who accepts that evidence, or by
 * what the service says became of the first copy. `witness` is of journals from before lists were known to lag per record.
 */
export type Absent = {
  kind: 'absent';
  row: number;
  attempt: number;
  witness: string | null;
  listings: number;
  by: 'listing' | 'person' | 'first_copy';
};

/**
 * Why a payout is parked for a person. `no_expiry`: the service does not promise that an expired request is dead.
 * `incomplete`: its list does not prove absence. `candidate`: a payment is there that could be this one. `mismatch`: a
 * record carries our token and is not what we sent. `twice`: several carry it. `replayed`: the service had the request
 * before, and does not list what it did. `no_canary`: no payout of the run has come back, so that its list proves nothing.
 * `unknown_id`: it accepted the payout as a transaction that it does not know. `old_copy`: the service holds payments that
 * look like rows which this journal never sent.
 */
export type UnresolvedAbout =
  | 'no_expiry'
  | 'incomplete'
  | 'candidate'
  | 'mismatch'
  | 'twice'
  | 'replayed'
  | 'no_canary'
  | 'unknown_id'
  | 'old_copy';

export type Unresolved = {
  kind: 'unresolved';
  row: number;
  attempt: number;
  about: Exclude<UnresolvedAbout, 'old_copy'>;
  reason: string;
  /** Of the service, where some are to be looked at. */
  transactions: string[];
};

/** A person's word about an unresolved payout. `sent` says what was sent where no intent of ours does. */
export type Resolved = {
  kind: 'resolved';
  row: number;
  attempt: number;
  verdict: 'sent' | 'not_sent';
  transaction_id: string | null;
  sent: Omit<Intent, 'kind' | 'row' | 'attempt' | 'request'> | null;
} & Sayer;

export type Final = {
  kind: 'final';
  row: number;
  transaction_id: string;
  status: 'COMPLETED' | 'FAILED';
  code: string | null;
  message: string | null;
  sent_minor: string;
  sent_currency: Currency;
  received_minor: string;
  received_currency: Currency;
  /** In the sent currency. */
  fees_minor: string;
};

/**
 * Everything that a journal can hold of a run. State is a fold of these (`run.ts`, `payout.ts`), so each says what
 * happened and never what to do. `row` names the payout.
 */
export type Entry = RunEntry | EnsureEntry | PayoutEntry;

export type EntryKind = Entry['kind'];

/** How the payouts of a run ended. */
export type Counts = Record<'completed' | 'failed' | 'rejected' | 'unresolved' | 'not_submitted', number>;

/** An entry in its place in a run's chain. `at` is Unix milliseconds. */
export type PlacedEntry = { n: number; at: number; epoch: number; entry: Entry };
