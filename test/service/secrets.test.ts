import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addPayee, GBP_ACCOUNT, gbpPayout, memoryLog, settled, startTestService, WALLET } from './harness.ts';

it('gives no whole account number or key away, in answers, errors and logs, and an address in its own field only', async () => {
  const log = memoryLog();
  const service = await startTestService({ log, settleMs: 0 });
  const said: string[] = [];
  const call = async (operation: string, body: object) => {
    const reply = await service.call(operation, body);
    said.push(reply.text.replace(`"address":"${WALLET.address}"`, ''), JSON.stringify(reply.headers));
    return reply.data;
  };
  const { recipientId, accountId } = await addPayee(service);
  await call('account.external.web3.add', { ...WALLET, recipient_id: recipientId });
  // Each of these is wrong, and the message must not repeat what is wrong with it.
  await call('account.external.bank.add', { ...GBP_ACCOUNT, account_number: '7654321' });
  await call('account.external.bank.add', { ...GBP_ACCOUNT, account_number: { number: '87651234' } });
  await call('account.external.bank.add', {
    type: 'EUR_SEPA',
    account_name: 'Ada',
    account_number: 'DE89370400440532013001',
  });
  await call('account.external.web3.add', { ...WALLET, address: WALLET.address.replace('d8dA', 'd8da') });
  const id = await call('transaction.transfer', gbpPayout(accountId, 100));
  await settled(service, id);
  await call('transaction.get', { id });
  await call('transaction.getMany', {});
  await call('account.recipient.getMany', {});
  await call('account.external.bank.getAll', { recipient_id: recipientId });
  await call('account.external.web3.getAll', { recipient_id: recipientId });
  for (const operation of ['state', 'stats', 'verify', 'fault.list']) said.push((await service.admin(operation)).text);
  const key = readFileSync(service.service.signingKeyFile, 'utf8').split('\n')[1] ?? expect.fail();
  await service.close();
  const everything = [...said, ...log.lines].join('\n').toLowerCase();
  expect(everything).toContain('••••5678');
  const secrets = ['12345678', '7654321', '87651234', '370400440532013', WALLET.address.slice(2, 38), key];
  for (const secret of secrets) expect(everything).not.toContain(secret.toLowerCase());
});
