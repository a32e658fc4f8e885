import type { AuditLog } from './audit/audit-log.ts';
import type { Dependencies } from './dependencies.ts';
import type { Access } from './people/access.ts';
import type { People } from './people/people.ts';
import type { WebStore } from './store/open.ts';
import type { Uploads } from './uploads/uploads.ts';
import type { FollowedRuns } from './watch/followed-runs.ts';

/** What the page's parts work with, of which none knows the page as a whole. */
export type WebParts = {
  deps: Dependencies;
  store: WebStore;
  people: People;
  audit: AuditLog;
  access: Access;
  uploads: Uploads;
  /** The runs that somebody looks at. */
  runs: FollowedRuns;
};
