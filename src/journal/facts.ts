/** Where a journal is kept, and how safe that is. Values are the database's own texts. */
export type JournalFacts = {
  /** As people name it. */
  place: string;
  storage: StorageFacts;
  /** Where its runs are moved, or come from; null where it is in use. */
  move: { state: 'leaving' | 'left' | 'arriving'; other: string } | null;
};

export type StorageFacts =
  | { kind: 'sqlite'; version: string; settings: Readonly<Record<string, string>> }
  | {
      kind: 'postgres';
      version: string;
      settings: Readonly<Record<string, string>>;
      /** Standbys that receive the log now. */
      standbys: number;
      /** Whether a commit waits for a standby. */
      isSynchronous: boolean;
    };
