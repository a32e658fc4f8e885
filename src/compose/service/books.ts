import { Refusal } from '../../domain/refusal.ts';
import { ServiceDataUnusable } from '../../service/store/schema.ts';
import { type Examination, examination, verifyData } from '../../service/verify/verify.ts';

/** What is wrong with the books of the shipped service. */
export const booksExamined = examination.meta({ description: 'What is wrong with the books of the shipped service.' });

/** Recomputes the books of a data directory. Throws a `Refusal` (`service_data_unusable`) where there are none to read. */
export function examineBooks(dataDir: string): Examination {
  try {
    const examined = verifyData(dataDir);
    if (examined !== null) return examined;
  } catch (error) {
    if (!(error instanceof ServiceDataUnusable)) throw error;
    throw new Refusal({ code: 'service_data_unusable', dataDir, cause: error.message });
  }
  throw new Refusal({ code: 'service_data_unusable', dataDir, cause: null });
}
