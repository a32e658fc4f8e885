import { z } from 'zod';
import { RAIL_NAMES } from './rails/rail.ts';

/** Where it is read: at a command line with its options, on the page with its fields, or in a copy that is taken from there. */
export type Audience = 'command_line' | 'page' | 'page_copy';

const plainCodes = z.object({
  code: z.enum([
    'save_as_utf8_or_name_encoding',
    'name_or_map_headers',
    'ungroup_or_name_decimal',
    'agree_or_name_decimal',
    'fit_or_change_decimal',
    'add_substitutions',
    'look_at_runs',
    'remove_paid_row',
  ]),
});
const chooseSheet = z.object({ code: z.literal('choose_sheet'), sheets: z.array(z.string()) });
const readEachSheet = z.object({ code: z.literal('read_each_sheet'), sheets: z.array(z.string()) });
const addOrMapColumn = z.object({
  code: z.literal('add_or_map_column'),
  column: z.string(),
  synonyms: z.array(z.string()),
});
const mergeOrIgnoreColumn = z.object({ code: z.literal('merge_or_ignore_column'), header: z.string() });
const renameOrMapHeader = z.object({
  code: z.literal('rename_or_map_header'),
  header: z.string(),
  column: z.string(),
});
/** `shown` is the header cut and in quotes. */
const addOrMapName = z.object({ code: z.literal('add_or_map_name'), shown: z.string(), header: z.string() });
const mendOrUnmapHeader = z.object({
  code: z.literal('mend_or_unmap_header'),
  row: z.number(),
  isOfJob: z.boolean(),
});
const chooseRail = z.object({
  code: z.literal('choose_rail'),
  currency: z.string(),
  rails: z.array(z.enum(RAIL_NAMES)),
});
/** The row of the run may have been paid. */
const seeUnresolved = z.object({ code: z.literal('see_unresolved'), runId: z.string() });
/** `runId`: what it did not pay can be retried; null where there is nothing. */
const removePaidRows = z.object({ code: z.literal('remove_paid_rows'), runId: z.string().nullable() });

const simpleWording = z.discriminatedUnion('code', [
  plainCodes,
  chooseSheet,
  readEachSheet,
  addOrMapColumn,
  mergeOrIgnoreColumn,
  renameOrMapHeader,
  addOrMapName,
  mendOrUnmapHeader,
  chooseRail,
  removePaidRows,
  seeUnresolved,
]);

/** The column is not there yet, and `next` is about its cells. */
const addColumn = z.object({
  code: z.literal('add_column'),
  column: z.string(),
  next: z.union([z.string(), simpleWording]),
});

/**
 * A sentence that every reader gets in the same words, or a code with its parameters where the words depend on where it is
 * read: the command line names an option, the page a field. `messages/wordings.ts` has the words.
 */
export const wording = z.union([z.string(), simpleWording, addColumn]);

export type Wording = z.output<typeof wording>;
export type SimpleWording = z.output<typeof addColumn>['next'];
export type CodedWording = Exclude<Wording, string>;
