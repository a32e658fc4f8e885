import type { PageReason, StoreFault } from '../../domain/refusals/page-reasons.ts';
import { t } from '../translate.ts';
import type { WordsOf } from './refusal-words.ts';

const away = () => t`The database of this page cannot be reached right now. Nothing was done.`;
const uncertain = () => t`The database was lost midway. This may or may not have been done. Nothing is done twice.`;

/** Why the page refuses something, and what to do about it. */
export const PAGE_WORDS: WordsOf<PageReason['code']> = {
  page_store_unusable: (reason) => ({
    message: `${reason.path} ${storeFaultText(reason)}.`,
    remedy: {
      command_line: 'Name another --data-dir, or use the payrun that made it.',
      page: t`Your administrator can see what is wrong with that file.`,
    },
    details: { path: reason.path },
  }),
  page_open: ({ dataDir, holder }) => {
    const who = holder === null ? t`another process` : t`process ${holder.pid} on ${holder.host}`;
    const where = holder?.url ? t` at ${holder.url}` : '';
    return {
      message: t`The page for ${dataDir} is already open: ${who} serves it${where}.`,
      remedy: {
        command_line: 'Use that page, or stop that process first. For a page of its own, name another --data-dir.',
        page: t`Use that page.`,
      },
      details: { ...holder },
    };
  },
  sign_in_busy: () => ({
    message: t`Too many people are signing in right now.`,
    remedy: t`Try again in a minute.`,
  }),
  page_database_away: ({ cause }) => ({
    message: { command_line: `The database cannot be used: ${cause}.`, page: away() },
    remedy: t`Try again in a minute. If the problem persists, check the database and the log file in the data directory.`,
  }),
  page_change_uncertain: ({ cause }) => ({
    message: { command_line: `The database was lost while it was changed: ${cause}.`, page: uncertain() },
    remedy: t`Check whether it was done before you do it again.`,
  }),
  page_busy: () => ({
    message: t`Others are making changes right now. Nothing was done.`,
    remedy: t`Try again.`,
  }),
  job_gone: ({ job }) => ({
    message: t`The job ${job} no longer exists.`,
    remedy: t`Upload the file again, for another job or for none.`,
  }),
  corrected_run_unreadable: () => ({
    message: t`The run whose rows this file corrects could not be read just now, so no plan was made.`,
    remedy: t`Try again shortly.`,
  }),
};

function storeFaultText(fault: StoreFault): string {
  switch (fault.why) {
    case 'another_program':
      return t`is a database of another program`;
    case 'no_wal':
      return t`cannot be kept in WAL mode; it has to be on a local disk`;
    case 'newer':
      return t`was written by a newer payrun: its schema is ${fault.versions.found}, and this one knows ${fault.versions.known}`;
    case 'unreadable':
      return t`cannot be used: ${fault.cause}`;
  }
}
