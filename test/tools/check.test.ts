import { expect, onTestFinished, test } from 'vitest';
import { checkDocumentation } from '../../src/docs/check-change.ts';
import { createDocumentation } from '../../src/docs/documentation.ts';
import { createTree } from '../../src/docs/tree.ts';
import type { Docs } from '../../src/docs-session/docs.ts';
import { runInline } from '../../src/threads/threads.ts';
import { createCheckTool } from '../../src/tools/check.ts';
import { defaultToolLimits } from '../../src/tools/output/limits.ts';
import { noOtherRepositories } from '../../src/tools/tool-parts.ts';
import { createToolbox } from './toolbox.ts';

const files = {
  'index.md': '[Use](docs/use.md)\n',
  'docs/use.md': '# Use\n\n[Gone](gone.md)\n',
};

/** The tool with the real checks, without their thread. */
async function openCheck({ isSlow = false } = {}) {
  const toolbox = await createToolbox(files);
  onTestFinished(() => toolbox[Symbol.asyncDispose]());
  const tree = createTree({
    paths: new Set(Object.keys(files)),
    read: (path) => new Map(Object.entries(files)).get(path),
  });
  const documentation = createDocumentation({ base: tree, head: tree });
  const docs: Docs = {
    async check(changes, { all = false }) {
      const texts = Array.from(changes, ([path, bytes]) => [path, bytes && Buffer.from(bytes).toString()] as const);
      return isSlow ? undefined : checkDocumentation(documentation.with(new Map(texts)), { all });
    },
    ask: async () => undefined,
    async [Symbol.asyncDispose]() {},
  };
  const tool = createCheckTool({
    ...{ workspace: toolbox.workspace, docs, runTask: runInline, limits: defaultToolLimits },
    ...{ others: noOtherRepositories, changes: async () => [] },
  });
  return {
    ...toolbox,
    check: (args: object = {}) => tool.call(JSON.stringify(args), new AbortController().signal),
  };
}

const unknown =
  'Not checked: this site’s framework is not known, so navigation, addresses and redirects are left alone.';

test('check lists what the change brought so far, and not what was there before', async () => {
  const { check, call } = await openCheck();
  expect(await check()).toEqual({
    output: `checked links: 2, changed pages: 0\n${unknown}\nyour changes broke nothing that was checked`,
    isError: false,
  });
  await call('write_file', { path: 'new.md', content: '[Lost](lost.md)\n' });
  const { output } = await check();
  expect(output).toMatch(/^checked links: 3, changed pages: 1\n.*\nnew\.md:1: .*lost\.md/);
  expect(output).not.toContain('gone.md');
});

test('check lists only problems of the named files and folders', async () => {
  const { check, call } = await openCheck();
  await call('move_file', { from: 'docs/use.md', to: 'docs/usage.md', exclude: '*.md' });
  expect((await check({ path: './docs/' })).output).toMatch(
    /\nyour changes broke nothing that was checked in these files$/,
  );
  for (const path of ['index.md', '.', '/']) expect((await check({ path })).output).toContain('docs/use.md');
});

test('check says that it failed, and the run goes on', async () => {
  const { check } = await openCheck({ isSlow: true });
  expect(await check()).toMatchObject({ isError: true, output: expect.stringContaining('took too long') });
});
