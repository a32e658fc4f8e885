import { expect, test } from 'vitest';
import {
  fillTemplate,
  REMITTANCE_FIELDS,
  type RemittanceField,
  readTemplate,
} from '../../src/domain/notices/remittance-template.ts';

const VALUES = Object.fromEntries(REMITTANCE_FIELDS.map((field) => [field, `<${field}>`])) as Record<
  RemittanceField,
  string
>;

test('a template is a subject, an empty line and a text, whatever ends its lines', () => {
  const read = readTemplate('\uFEFFsubject:  Paid: {amount} \r\n\r\nDear {payee},\r\n\r\nthank you.\r\n');
  expect(read).toEqual({
    ok: true,
    template: { subject: 'Paid: {amount}', body: 'Dear {payee},\n\nthank you.', fields: new Set(['amount', 'payee']) },
  });
});

test('each placeholder is filled once, and what is filled in is not read again', () => {
  expect(fillTemplate('{payee}{payee} { {amount} }', { ...VALUES, payee: '{amount}' })).toBe(
    '{amount}{amount} { <amount> }',
  );
  const all = REMITTANCE_FIELDS.map((field) => `{${field}}`).join(' ');
  expect(fillTemplate(all, VALUES)).toBe(Object.values(VALUES).join(' '));
});

test.each([
  ['', 1, 1, { code: 'no_subject' }],
  ['Dear {payee}\n\ntext', 1, 1, { code: 'no_subject' }],
  ['Subject:   \n\ntext', 1, 1, { code: 'no_subject' }],
  [`Subject: ${'a'.repeat(201)}\n\ntext`, 1, 1, { code: 'subject_too_long', max: 200 }],
  ['Subject: a\ntext', 2, 1, { code: 'second_line_not_empty' }],
  ['Subject: a\n\n \n', 4, 1, { code: 'no_text' }],
  ['Subject: {amonut}\n\ntext', 1, 10, { code: 'unknown_placeholder', placeholder: '{amonut}' }],
  [
    'Subject: a\n\nDear {payee},\nto {account_number}',
    4,
    4,
    { code: 'unknown_placeholder', placeholder: '{account_number}' },
  ],
  ['Subject: a\n\n{ payee }', 3, 1, { code: 'unknown_placeholder', placeholder: '{ payee }' }],
  ['Subject: a\n\n{__proto__}', 3, 1, { code: 'unknown_placeholder', placeholder: '{__proto__}' }],
  ['Subject: a\u0007\n\ntext', 1, 11, { code: 'control_character' }],
])('%j is refused at its place', (text, line, column, problem) => {
  expect(readTemplate(text)).toEqual({ ok: false, fault: { line, column, ...problem } });
});
