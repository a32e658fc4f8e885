/** The environment of a page for which a password is next to no work to try, and not a third of a second as for users. */
export const QUICK_PASSWORDS = { NODE_OPTIONS: `--import ${new URL('quick-passwords.ts', import.meta.url).href}` };
