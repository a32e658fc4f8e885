/** What a person may do on the page; one may have several. An administrator does not thereby prepare or approve. */
export type Role = (typeof ROLES)[number];

export const ROLES = ['preparer', 'approver', 'viewer', 'administrator'] as const;

export const ROLE_WORDS: Readonly<Record<Role, { label: string; means: string }>> = {
  preparer: { label: 'Preparer', means: 'uploads files, makes plans, starts approved runs' },
  approver: { label: 'Approver', means: 'approves plans that others made' },
  viewer: { label: 'Viewer', means: 'sees runs and reports, changes nothing' },
  administrator: { label: 'Administrator', means: 'invites people, changes roles, locks people out' },
};

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}
