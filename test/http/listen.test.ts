import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '../../src/http/open-listener.ts';

/** Fails as a port below 1024 does for an unprivileged user, whoever runs the test. */
class PrivilegedPort extends Server {
  override listen() {
    process.nextTick(() => this.emit('error', Object.assign(new Error('permission denied'), { code: 'EACCES' })));
    return this;
  }
}

test('the error for a port in use, a foreign address or a privileged port names the variable to change', async () => {
  await using taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const drainMs = 0;
  await expect(listen(createServer(), { host: '127.0.0.1', port, drainMs })).rejects.toThrow(
    `could not listen on 127.0.0.1:${port}: another process uses this PORT`,
  );
  await expect(listen(createServer(), { host: '192.0.2.1', port: 0, drainMs })).rejects.toThrow(
    'could not listen on 192.0.2.1:0: HOST is not an address of this machine',
  );
  await expect(listen(new PrivilegedPort(), { host: '127.0.0.1', port: 80, drainMs })).rejects.toThrow(
    'could not listen on 127.0.0.1:80: this user cannot use this PORT: set 1024 or higher',
  );
});
