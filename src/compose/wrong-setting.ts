import { Refusal } from '../domain/refusal.ts';
import type { SettingsPart } from '../domain/refusals/service-reasons.ts';

/** That payrun was not set up right. Who cannot change that reads which part it is, and no more. */
export function wrongSetting(part: SettingsPart, message: string, remedy: string): Refusal {
  return new Refusal('usage', message, remedy, {}, { code: 'set_up', part });
}
