/** The formats of bank files that are read. */
export const BANK_FORMATS = ['pain.001.001.03', 'pain.001.001.09', 'aba', 'bacs', 'nacha'] as const;
export type BankFormat = (typeof BANK_FORMATS)[number];
