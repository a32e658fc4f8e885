import { expect, test } from 'vitest';
import { parseSmtpAddress } from '../../src/notify/mail-line.ts';

test.each([
  [
    'smtps://pay:p%40ss%3A@mail.example',
    { host: 'mail.example', port: 465, isSecure: true, isLoopback: false, login: { user: 'pay', password: 'p@ss:' } },
  ],
  ['smtps://mail.example:4650/', { port: 4650, login: null }],
  ['smtp://pay:x@mail.example', { port: 587, isSecure: false, isLoopback: false }],
  ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, isLoopback: true }],
  ['smtp://[::1]:25', { host: '::1', isLoopback: true }],
  ['smtp://localhost.example', { isLoopback: false }],
])('%s', (text, address) => {
  expect(parseSmtpAddress(text)).toMatchObject(address);
});

test.each([
  '',
  'mail.example:465',
  'https://mail.example',
  'smtps://',
  'smtps://mail.example/?tls.rejectUnauthorized=false',
  'smtps://mail.example/#x',
  'smtps://mail.example/pool',
  'smtps://pay@mail.example',
  'smtps://:x@mail.example',
  'smtps://pay:%zz@mail.example',
])('%j is no address of a mail server', (text) => {
  expect(parseSmtpAddress(text)).toBeNull();
});
