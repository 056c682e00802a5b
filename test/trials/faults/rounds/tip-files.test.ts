import { expect, test } from 'vitest';
import { type Files, subtractFiles } from '../../../../trials/faults/rounds/tip-files.ts';

const then: Files = { 'index.md': '# Docs\n', 'page.md': 'Run 2 of page.md.\n', 'by-rita-2.md': 'Rita was here, 2.\n' };

test.each<[string, Files, Files]>([
  ['nothing changed', then, {}],
  ['a file was changed', { ...then, 'page.md': 'Run 3 of page.md.\n' }, { 'page.md': 'Run n of page.md.\n' }],
  ['a file was added', { ...then, 'by-rita-3.md': '3\n' }, { 'by-rita-n.md': 'n\n' }],
  [
    'a file of an earlier run is gone',
    { 'index.md': '# Docs\n', 'page.md': then['page.md'] ?? '' },
    { 'by-rita-2.md': null },
  ],
])('%s', (_name, now, changed) => {
  expect(subtractFiles(now, then, 3)).toEqual(changed);
});
