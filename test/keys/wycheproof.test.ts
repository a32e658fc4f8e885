import { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../src/keys/backend.ts';
import { defaultBackend, type VerifyingKey, verifyingKey } from '../../src/keys/ed25519.ts';
import { nobleBackend } from '../../src/keys/noble-backend.ts';
import { nodeBackend } from '../../src/keys/node-backend.ts';

type Case = { tcId: number; comment: string; msg: string; sig: string; result: 'valid' | 'invalid'; publicKey: string };

const FILE = new URL('../../../shared/vectors/wycheproof-ed25519.json', import.meta.url);

const BACKENDS = [
  { name: 'node:crypto', backend: nodeBackend },
  { name: 'noble', backend: nobleBackend },
  { name: 'the chosen one', backend: defaultBackend() },
];

/** Four of the cases (C2SP/wycheproof ed25519_test.json, Apache-2.0), so that some are checked wherever this runs. */
const TYPED_IN: readonly Case[] = [
  {
    tcId: 1,
    comment: 'empty message',
    publicKey: '7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa',
    msg: '',
    sig: 'd4fbdb52bfa726b44d1786a8c0d171c3e62ca83c9e5bbe63de0bb2483f8fd6cc1429ab72cafc41ab56af02ff8fcc43b99bfe4c7ae940f60f38ebaa9d311c4007',
    result: 'valid',
  },
  {
    tcId: 63,
    comment: 's replaced by s + L',
    publicKey: '7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa',
    msg: '54657374',
    sig: '7c38e026f29e14aabd059a0f2db8b0cd783040609a8be684db12f82a27774ab067654bce3832c2d76f8f6f5dafc08d9339d4eef676573336a5c51eb6f946b31d',
    result: 'invalid',
  },
  {
    tcId: 85,
    comment: 'S just above the bound',
    publicKey: '100fdf47fb94f1536a4f7c3fda27383fa03375a8f527c537e6f1703c47f94f86',
    msg: '6a0bc2b0057cedfc0fa2e3f7f7d39279b30f454a69dfd1117c758d86b19d85e0',
    sig: '0971f86d2c9c78582524a103cb9cf949522ae528f8054dc20107d999be673ff4e25ebf2f2928766b1248bec6e91697775f8446639ede46ad4df4053000000010',
    result: 'invalid',
  },
  {
    tcId: 151,
    comment: 'R is y = 1 with the sign of x set',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    msg: '313233343030',
    sig: '0100000000000000000000000000000000000000000000000000000000000080c803ee1f2342aa96ff698a393d1ab5e66f3eda101d6d120b394c3fd32c117d0a',
    result: 'invalid',
  },
];

describe.each(BACKENDS)('Wycheproof Ed25519 by $name', ({ backend }) => {
  it.each(TYPED_IN)('$tcId, $comment: $result', async (one) => {
    expect(outcome(one, backend)).toBe(one.result);
    expect(await outcomeInPool(one, backend)).toBe(one.result);
  });

  if (existsSync(FILE)) {
    it('gives the published result in all 151 cases', async () => {
      const cases = publishedCases();
      expect(cases).toHaveLength(151);
      expect(cases.filter(({ result }) => result === 'valid')).toHaveLength(88);
      expect(cases.filter((one) => outcome(one, backend) !== one.result)).toEqual([]);
      const inPool = await Promise.all(cases.map((one) => outcomeInPool(one, backend)));
      expect(cases.filter(({ result }, place) => inPool[place] !== result)).toEqual([]);
      for (const typed of TYPED_IN) expect(cases.find(({ tcId }) => tcId === typed.tcId)?.sig).toBe(typed.sig);
    });
  } else {
    it.skip('SKIPPED: the 151 published cases are not at ../shared/vectors/wycheproof-ed25519.json', () => {});
  }
});

function outcome(one: Case, backend: Backend): 'valid' | 'invalid' {
  return keyOf(one, backend).verify(Buffer.from(one.msg, 'hex'), Buffer.from(one.sig, 'hex')) ? 'valid' : 'invalid';
}

async function outcomeInPool(one: Case, backend: Backend): Promise<'valid' | 'invalid'> {
  const message = Buffer.from(one.msg, 'hex');
  const signature = Buffer.from(one.sig, 'hex');
  const verified = keyOf(one, backend).verifyInPool(message, signature);
  // The caller may use its buffers again at once.
  message.fill(0);
  signature.fill(0);
  return (await verified) ? 'valid' : 'invalid';
}

function keyOf(one: Case, backend: Backend): VerifyingKey {
  const result = verifyingKey(Buffer.from(one.publicKey, 'hex'), backend);
  if (!result.ok) throw new Error(`${one.tcId}: the public key was refused: ${result.problem}`);
  return result.key;
}

function publishedCases(): Case[] {
  const file = JSON.parse(readFileSync(FILE, 'utf8')) as {
    testGroups: { publicKey: { pk: string }; tests: Omit<Case, 'publicKey'>[] }[];
  };
  return file.testGroups.flatMap((group) => group.tests.map((one) => ({ ...one, publicKey: group.publicKey.pk })));
}
