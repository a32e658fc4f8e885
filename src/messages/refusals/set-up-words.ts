import type { SettingsPart } from '../../domain/refusals/settings-reasons.ts';
import { t, textTable } from '../translate.ts';
import type { RefusalWords } from './refusal-words.ts';

export const setUpRemedy = () => t`Ask the person who operates payrun to correct it.`;

const PARTS: Readonly<Record<SettingsPart, string>> = textTable({
  options: 'an option or a setting is wrong',
  service: "the service's address or profile is wrong",
  credentials: "the service's API key or signing key is missing or cannot be read",
  key_file: 'a key file cannot be used',
  webhooks: 'webhooks of the service cannot be received',
  shipped_service: 'the rehearsal service cannot be started',
  reports_folder: 'reports cannot be written to their folder',
  modulus_table: 'the table of sort codes cannot be used',
  columns: 'a column that was named is wrong',
  maker_key: 'the plan needs the key of somebody who makes plans',
});

/** What of the settings is wrong, as people read it who cannot change it. */
export function setUpText(part: SettingsPart): string {
  return t`payrun is misconfigured: ${PARTS[part]}.`;
}

/** Words for the command line, of which people of the page read only which part is wrong. */
export function setUpWords(part: SettingsPart, message: string, remedy: string): RefusalWords {
  return {
    message: { command_line: message, page: setUpText(part) },
    remedy: { command_line: remedy, page: setUpRemedy() },
  };
}
