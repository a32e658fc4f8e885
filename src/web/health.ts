import { Hono } from 'hono';
import type { WebEnv } from './web.ts';

/**
 * For who starts the page and balances between several: they know its address and not its name, so these are answered whatever
 * host is asked for. They show nothing but whether the page can be used.
 */
export function healthRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/livez', (context) => context.text('ok\n'));
  app.get('/readyz', async (context) => {
    const { deps, stopping } = context.var.web;
    const isReady = !stopping.signal.aborted && (await deps.isReady());
    return isReady ? context.text('ok\n') : context.text('not ready\n', 503);
  });
  return app;
}
