/**
 * Files of undici (its version is pinned) that have no types of their own. Its entry loads fetch, WebSocket, caches and mocks
 * beside them: a tenth of a second of each process that speaks with the service, and 13 MB.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';

  export default Pool;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';

  export default buildConnector;
}

declare module 'undici/lib/core/util.js' {
  import type { Socket } from 'node:net';

  const util: {
    /** Destroys the socket with a `ConnectTimeoutError` after `timeout` ms, unless what it returns is called before. */
    setupConnectTimeout(
      socket: WeakRef<Socket>,
      options: { timeout: number; hostname: string; port: string },
    ): () => void;
  };
  // Its CommonJS has no names that an import of ECMAScript could find.
  export default util;
}
