import type { Row } from './row.ts';

/** 6. Events. */
export const SECTION_6: readonly Row[] = [];
