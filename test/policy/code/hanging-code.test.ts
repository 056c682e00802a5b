import { expect, onTestFinished, test } from 'vitest';
import { createForeignReaders } from '../../../src/policy/judge/foreign-readers.ts';
import { createThreads } from '../../../src/threads/threads.ts';
import { tryChange } from '../try-change.ts';

const path = 'docs/.vitepress/config.ts';
const files = { [path]: "export default { themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } };\n" };

test.each([
  ['calls with type arguments', 'a<T>('.repeat(30)],
  ['generic arrow functions', '<T>(a='.repeat(26)],
  ['type assertions', '<A>('.repeat(30)],
])(
  'promise 42: 151 characters that take the parser exponential time are refused, and hold nothing up: %s',
  async (_what, code) => {
    const threads = createThreads({ timing: { taskTimeoutMs: 300 } });
    onTestFinished(() => threads.close());
    const { signal } = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    onTestFinished(() => clearInterval(timer));
    const readers = createForeignReaders((task, input) => threads.run(task, input, { signal }));
    const refusal = await tryChange(files, path, `export default ${code}`, { readers });
    expect(refusal).toContain('cannot be compared in time');
    // The event loop went on while the parser did.
    expect(turns).toBeGreaterThan(5);
  },
);
