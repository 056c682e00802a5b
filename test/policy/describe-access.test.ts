import { expect, test } from 'vitest';
import { createBase } from '../../harness/memory-files.ts';
import { createPolicy } from '../../src/policy/policy.ts';

const base = createBase({
  'mkdocs.yml': 'nav: []\n',
  'docs/index.md': '# Docs\n',
  'docs/run.md': { text: 'Run\n', isExecutable: true },
  'docs/README': { text: 'Run\n', isExecutable: true },
  'guide/index.md': '# Guide\n',
});

test.each([
  ['a page', 'docs/index.md', { kind: 'editable' }],
  ['a new page', 'docs/new.md', { kind: 'editable' }],
  [
    'a file of which a part may change',
    'mkdocs.yml',
    { kind: 'partly', what: 'nav, not_in_nav, exclude_docs and redirect_maps' },
  ],
  ['code', 'docs/conf.py', { kind: 'protected', reason: expect.stringContaining('neither a page') }],
  ['a page with mode 100755', 'docs/run.md', { kind: 'editable' }],
  ['a program', 'docs/README', { kind: 'protected', reason: expect.stringContaining('100755') }],
  ['a page outside of paths', 'guide/index.md', { kind: 'protected', reason: expect.stringContaining('docs/**') }],
])('access to %s says what may change, and why not more', async (_, path, access) => {
  const policy = await createPolicy({ base, rules: { allow: ['docs/**', 'mkdocs.yml'] } });
  expect(policy.describeAccess(path)).toMatchObject(access);
});
