/** The files of a report, by the endings of their names. */
export const REPORT_FORMATS = ['csv', 'html', 'json', 'xlsx'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];
