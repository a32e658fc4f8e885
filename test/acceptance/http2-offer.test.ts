import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { http2Front } from '../support/http2-front.ts';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { arrivals } from '../support/service-admin.ts';
import { hasSecondLoopback } from '../support/tcp-proxy.ts';

const certificate = selfSigned();

test.skipIf(certificate === null || !(await hasSecondLoopback()))(
  'scenario 14: HTTP/2 is offered and would refuse streams and go away: only HTTP/1.1 is spoken, each request arrives once',
  async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    if (certificate === null) throw new Error('skipped without a certificate');
    const front = await http2Front(service.base_url, certificate);
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, certificate.cert);
    const rows = 12;
    const { command } = plainPayroll({ folder, service, proxy: front, rows, profile: 'request_lifetime: 6s\n' });
    const { exit, stdout } = await payrun(command, { env: { NODE_EXTRA_CA_CERTS: authority } });
    expect(exit).toBe(0);
    await expectPaidOnceEach(service, [reportOf(stdout)]);
    expect(front.byHttp2).toEqual([]);
    expect(new Set(front.protocols)).toEqual(new Set(['http/1.1']));
    expect(await arrivals(service)).toMatchObject({
      'account.recipient.create': rows,
      'account.external.bank.add': rows,
      'transaction.transfer': rows,
    });
  },
);
