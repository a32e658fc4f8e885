import { expect, test } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { startWeb } from '../support/web-process.ts';

const second = (dataDir: string) => payrun(['web', '--json', '--port', '0', '--data-dir', dataDir]);

test.each(['SIGKILL', 'SIGINT'] as const)(
  'a second page on the same data is refused by name, and has it once the first has ended by %s',
  async (signal) => {
    const dataDir = temporaryFolder();
    const { started, url } = await startWeb({ dataDir });
    const refused = await second(dataDir);
    expect(refused.exit).toBe(7);
    const { message, remedy } = JSON.parse(refused.stdout) as { message: string; remedy: string };
    expect(message).toContain(`process ${started.child.pid} on `);
    expect(message).toContain(url);
    expect(message).toContain(dataDir);
    expect(remedy).toContain('--data-dir');
    // The first one is none the worse for it.
    expect((await fetch(`${url}/sign-in`)).status).toBe(200);
    started.child.kill(signal);
    await started.ended;
    const next = await startWeb({ dataDir });
    expect((await fetch(`${next.url}/sign-in`)).status).toBe(200);
  },
);

test('pages on data of their own stand side by side', async () => {
  const pages = await Promise.all([startWeb({ dataDir: temporaryFolder() }), startWeb({ dataDir: temporaryFolder() })]);
  for (const { url } of pages) expect((await fetch(`${url}/sign-in`)).status).toBe(200);
});
