import type { Note } from '../entries/note.ts';
import type { ServiceTrouble } from '../outcomes/service-trouble.ts';
import type { StopWhy } from '../outcomes/stop-why.ts';
import type { SettingsPart } from './settings-reasons.ts';

/** Why the service cannot be used at this moment. `cause`: what the service says. */
export type Unreachable =
  | { code: 'credentials_refused'; cause: string }
  /** `trouble` is null where the service answered, with `cause`. */
  | { code: 'service_unreachable'; trouble: ServiceTrouble | null; cause: Note }
  | { code: 'clock_differs'; seconds: number; isAhead: boolean };

/** What the service, or what payrun was started with, does not allow. */
export type ServiceReason =
  | Unreachable
  /** `why`: why the look at the service stopped. */
  | { code: 'plan_not_drawn'; why: StopWhy }
  /** Money moves at the service where that was not expected, or the other way round. */
  | { code: 'mode_changed'; rehearsal: boolean }
  | { code: 'interrupted' }
  /** People at the command line read what exactly is wrong; others cannot change it. */
  | { code: 'set_up'; part: SettingsPart }
  /** What `reference` (`env:NAME`, `file:PATH`) points to is not what the setting of notices needs. */
  | { code: 'secret_unusable'; setting: 'smtp' | 'webhook.secret'; reference: string };
