import { z } from 'zod';
import { isRole, type Role } from '../app/people/grants.ts';
import { form } from '../job/schema-problems.ts';
import { parsedText } from '../job/values.ts';

/** `--oidc-issuer`: a password of the client goes there. */
export const issuer = z.string().refine((text) => {
  const url = URL.parse(text);
  const isLoopback = url !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback));
}, form('issuer'));

/** `--oidc-roles`: `Payroll=preparer+viewer,Treasury=approver`. */
export const groupRoles = parsedText(
  (text): ReadonlyMap<string, readonly Role[]> | undefined => {
    const groups = new Map<string, readonly Role[]>();
    for (const part of text.split(',')) {
      const at = part.lastIndexOf('=');
      const group = part.slice(0, at).trim();
      const roles = part
        .slice(at + 1)
        .trim()
        .split('+');
      if (at < 0 || group === '' || groups.has(group) || !roles.every(isRole)) return undefined;
      groups.set(group, roles);
    }
    return groups;
  },
  { form: 'group_roles' },
);
