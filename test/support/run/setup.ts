import nock from 'nock';
import { afterEach, expect } from 'vitest';
import { failures } from './failures.ts';

// Nothing leaves this machine. (An unhandled rejection needs no line here: vitest ends a run with one as failed.)
nock.disableNetConnect();
nock.enableNetConnect(/^(localhost|127\.0\.0\.1|\[?::1\]?)(:\d+)?$/);

failures.clear();
afterEach(({ task }) => {
  const unused = nock.pendingMocks();
  nock.cleanAll();
  if (task.result?.state === 'fail') failures.add(task.name);
  else expect(unused, 'nocks that no request used').toEqual([]);
});
