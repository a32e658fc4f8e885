/** What a remittance advice can show of its payout. There is none for an account, on purpose. */
export const REMITTANCE_FIELDS = [
  'payee',
  'payee_id',
  'amount',
  'currency',
  'reference',
  'paid_on',
  'company',
] as const;

export type RemittanceField = (typeof REMITTANCE_FIELDS)[number];

/** `fields` are those that it uses. */
export type RemittanceTemplate = { subject: string; body: string; fields: ReadonlySet<RemittanceField> };

/** What is wrong at a place of a template. Lines and columns begin at 1. */
export type TemplateFault = { line: number; column: number } & TemplateProblem;

export type TemplateProblem =
  | { code: 'no_subject' | 'second_line_not_empty' | 'no_text' | 'control_character' }
  | { code: 'subject_too_long'; max: number }
  /** As it is written, with its braces. */
  | { code: 'unknown_placeholder'; placeholder: string };

export type ReadTemplate = { ok: true; template: RemittanceTemplate } | { ok: false; fault: TemplateFault };

export const TEMPLATE_CHARACTERS_MAX = 20_000;
const SUBJECT_MAX = 200;

/** Reads the text of a template: a line `Subject: …`, an empty line, the body. */
export function readTemplate(text: string): ReadTemplate {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const [first = '', second = ''] = lines;
  const subject = /^subject:[ \t]*(\S.*)$/i.exec(first)?.[1]?.trim() ?? '';
  if (subject === '') return faultAt(1, 1, { code: 'no_subject' });
  if (subject.length > SUBJECT_MAX) return faultAt(1, 1, { code: 'subject_too_long', max: SUBJECT_MAX });
  if (second.trim() !== '') return faultAt(2, 1, { code: 'second_line_not_empty' });
  const body = lines.slice(2).join('\n').trim();
  if (body === '') return faultAt(Math.max(lines.length, 3), 1, { code: 'no_text' });
  const fields = new Set<RemittanceField>();
  for (const [at, line] of lines.entries()) {
    const control = line.search(/[\p{Cc}\u2028\u2029]/u);
    if (control !== -1 && line[control] !== '\t') return faultAt(at + 1, control + 1, { code: 'control_character' });
    for (const { 0: whole, 1: name = '', index } of line.matchAll(PLACEHOLDER)) {
      if (!isField(name)) return faultAt(at + 1, index + 1, { code: 'unknown_placeholder', placeholder: whole });
      fields.add(name);
    }
  }
  return { ok: true, template: { subject, body, fields } };
}

/** Puts values into the place of placeholders. A value is put in as it is, once, and is searched for none. */
export function fillTemplate(text: string, values: Readonly<Record<RemittanceField, string>>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => (isField(name) ? values[name] : whole));
}

/** Anything in braces that could be meant for one. */
const PLACEHOLDER = /\{([^{}\r\n]{0,40})\}/g;

function isField(name: string): name is RemittanceField {
  return (REMITTANCE_FIELDS as readonly string[]).includes(name);
}

function faultAt(line: number, column: number, problem: TemplateProblem): ReadTemplate {
  return { ok: false, fault: { line, column, ...problem } };
}
