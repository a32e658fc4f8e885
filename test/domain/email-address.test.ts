import { expect, test } from 'vitest';
import { isEmailAddress, parseMailbox } from '../../src/domain/notices/email-address.ts';

test.each([
  'ada@example.com',
  "o'neil+pay.roll@mail.example.co.uk",
  'a@xn--bcher-kva.example',
  `${'a'.repeat(64)}@example.com`,
])('%s is an address', (text) => {
  expect(isEmailAddress(text)).toBe(true);
  expect(parseMailbox(text)).toEqual({ name: null, address: text });
  expect(parseMailbox(`Example Pty Ltd <${text}>`)).toEqual({ name: 'Example Pty Ltd', address: text });
});

test.each([
  '',
  'ada',
  '@example.com',
  'ada@example',
  'ada@example.com ',
  'ada@example.com\n',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com,eve@example.com',
  'ada@example.com;eve@example.com',
  'ada,eve@example.com',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  'ada(eve@example.org)@example.com',
  '"ada"@example.com',
  '"ada eve"@example.com',
  'ada:eve@example.com',
  'ada@[127.0.0.1]',
  'ada@127.0.0.1',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada@-example.com',
  'ada@example-.com',
  'ada@exa\u0000mple.com',
  'ada@example.com\u2028',
  'ädä@example.com',
  'ada@exämple.com',
  'ada%eve@exa mple.com',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a.'.repeat(125)}com`,
])('%j is none', (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

test.each([
  'Example, Ltd <pay@example.org>',
  'Example "x" <pay@example.org>',
  'Example\r\nBcc: eve@example.com <pay@example.org>',
  ' Example <pay@example.org>',
  'Example<pay@example.org>',
  'Example <pay@example.org> <eve@example.org>',
  'Example <pay@example.org>, eve@example.org',
  'eve@example.org <pay@example.org>',
  'Exam\u202eple <pay@example.org>',
  `${'a'.repeat(101)} <pay@example.org>`,
])('%j is no sender', (text) => {
  expect(parseMailbox(text)).toBeNull();
});
