import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { NOTIFY_EVENTS, type NotifySettings, type RemittanceSettings } from '../domain/notices/notify.ts';
import { type ReadTemplate, readTemplate, TEMPLATE_CHARACTERS_MAX } from '../domain/notices/remittance-template.ts';
import type { notifyPart } from './parts/notify-part.ts';

type Said = {
  notify?: z.output<typeof notifyPart.notify>;
  remittance?: z.output<typeof notifyPart.remittance>;
};

/** A problem of a key below `remittance`. */
export type RemittanceProblem = { key: 'template' | 'company'; message: string; remedy: string };

export type ReadNotify = { ok: true; settings: NotifySettings | null } | { ok: false; problem: RemittanceProblem };

/**
 * What a job says of its notices, with the text of the template, since a run goes on from its journal alone. Files are
 * named whole. Null settings where it tells nobody.
 */
export function readNotify({ notify, remittance }: Said, folder: string): ReadNotify {
  if (notify === undefined && remittance === undefined) return { ok: true, settings: null };
  const read = remittance === undefined ? null : readRemittance(remittance, folder);
  if (read !== null && 'problem' in read) return { ok: false, problem: read.problem };
  const { email, webhook } = notify ?? {};
  const settings: NotifySettings = {
    on: notify === undefined ? [] : (notify.on ?? [...NOTIFY_EVENTS]),
    email: email === undefined ? null : { ...email, smtp: whole(email.smtp, folder) },
    webhook: webhook === undefined ? null : { ...webhook, secret: whole(webhook.secret, folder) },
    remittance: read === null ? null : read.settings,
  };
  return { ok: true, settings };
}

function readRemittance(
  { template: path, from, smtp, company }: NonNullable<Said['remittance']>,
  folder: string,
): { settings: RemittanceSettings } | { problem: RemittanceProblem } {
  const text = textOf(resolve(folder, path));
  if (text === null) {
    const message = `remittance.template: there is no file ${join(folder, path)} of UTF-8 text`;
    return { problem: { key: 'template', message, remedy: 'check the path, which is beside this file' } };
  }
  const read: ReadTemplate = readTemplate(text);
  if (!read.ok) {
    const { line, column, message, remedy } = read.fault;
    return { problem: { key: 'template', message: `${join(folder, path)}:${line}:${column}: ${message}`, remedy } };
  }
  const { subject, body, fields } = read.template;
  if (fields.has('company') && company === undefined) {
    const message = 'remittance says no company, and its template has {company}';
    return { problem: { key: 'company', message, remedy: 'add company: with the name of who pays' } };
  }
  return { settings: { subject, body, company: company ?? null, from, smtp: whole(smtp, folder) } };
}

/** Null where there is no such file of a template's size. */
function textOf(path: string): string | null {
  try {
    if (statSync(path).size > TEMPLATE_CHARACTERS_MAX) return null;
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return null;
  }
}

/** A run is resumed from any folder. */
function whole(reference: string, folder: string): string {
  return reference.startsWith('file:') ? `file:${resolve(folder, reference.slice('file:'.length))}` : reference;
}
