import { expect, test } from 'vitest';
import { proxyFor } from '../../src/compose/proxy.ts';
import { refusedWith } from '../support/refused.ts';

const PROXY = { HTTPS_PROXY: 'http://proxy.example:3128' };
const SERVICE = new URL('https://eu.payouts.example/');

test.each([
  ['http://proxy.example:3128', { name: 'proxy.example:3128', isTls: false, authorization: null }],
  ['proxy.example:3128', { name: 'proxy.example:3128', isTls: false }],
  ['http://proxy.example', { port: '80' }],
  ['https://proxy.example/', { name: 'proxy.example:443', isTls: true }],
  ['http://[2001:db8::1]:3128', { name: '[2001:db8::1]:3128', hostname: '2001:db8::1' }],
  ['http://an%20na:a%3Ab@proxy.example', { name: 'proxy.example:80', authorization: `Basic ${btoa('an na:a:b')}` }],
])('HTTPS_PROXY=%s', (text, proxy) => {
  expect(proxyFor(SERVICE, { HTTPS_PROXY: text })).toMatchObject(proxy);
});

test.each(['socks5://u:secret@proxy.example', 'http://', 'http://u:%ZZsecret@proxy.example', '::'])(
  '%s is refused and not repeated',
  (text) => {
    expect(refusedWith(() => proxyFor(SERVICE, { https_proxy: text }))).toBe('https_proxy names no proxy.');
  },
);

test.each([
  ['https://eu.payouts.example/', '*'],
  ['https://eu.payouts.example/', 'other.example, payouts.example'],
  ['https://eu.payouts.example/', '.payouts.example'],
  ['https://eu.payouts.example/', '*.PAYOUTS.example'],
  ['https://eu.payouts.example:8443/', 'eu.payouts.example:8443'],
  ['https://10.1.2.3/', '10.0.0.0/8'],
  ['https://10.1.2.3/', '10.1.2.3:443'],
  ['https://[2001:db8::1]/', '2001:db8::/32'],
  ['https://[2001:db8::1]/', '[2001:db8:0::1]'],
])('%s is reached directly where NO_PROXY is %s, and on this machine', (service, list) => {
  expect(proxyFor(new URL(service), { ...PROXY, NO_PROXY: list })).toBeNull();
});

test.each([
  ['https://payouts.example/', '.payouts.example'],
  ['https://notpayouts.example/', 'payouts.example'],
  ['https://eu.payouts.example/', 'eu.payouts.example:8443'],
  ['https://11.1.2.3/', '10.0.0.0/8'],
  ['https://10.1.2.3/', '10.0.0.0/99, 10.0.0.0/x, 1.2.3, ,'],
  ['https://[2001:db8::1]/', '10.0.0.0/8'],
])('%s goes through the proxy where NO_PROXY is %s', (service, list) => {
  expect(proxyFor(new URL(service), { ...PROXY, no_proxy: list })).not.toBeNull();
});

test.each(['https://localhost:8790/', 'http://127.0.0.1:8790/', 'https://[::1]/'])(
  '%s is on this machine and reached directly',
  (service) => {
    expect(proxyFor(new URL(service), PROXY)).toBeNull();
    expect(proxyFor(SERVICE, {})).toBeNull();
  },
);
