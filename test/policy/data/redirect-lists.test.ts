import { expect, test } from 'vitest';
import { tryChange } from '../try-change.ts';

const site = { 'next.config.mjs': '', 'content/index.mdx': '# A' };
const change = (path: string, before: string, after: string) => tryChange({ ...site, [path]: before }, path, after);

test.each<[string, string, string, string]>([
  ['a list of pairs', 'redirects.json', '[]', '[{"source": "/a", "destination": "/b", "permanent": true}]'],
  ['a map', 'lib/redirects.json', '{"/a": "/b"}', '{"/a": "/b", "/c": "/d#e"}'],
  ['keys of this file', 'redirects.json', '[{"old_url": "/a"}]', '[{"old_url": "/a"}, {"old_url": "/b"}]'],
  ['a list of YAML', '_redirects.yml', '- from: /a\n  to: /b\n', '- from: /a\n  to: /b\n- from: /c\n  to: /d\n'],
  ['a map of YAML', 'docs/redirects.yaml', '/a: /b\n', '/a: /b\n/c: https://example.com/d\n'],
])('%s of redirects may grow (%s)', async (_what, path, before, after) => {
  expect(await change(path, before, after)).toBeUndefined();
});

test.each<[string, string, string, string]>([
  ['a script', 'redirects.json', '{"/a": "/b"}', '{"/a": "javascript:x()"}'],
  ['another key', 'redirects.json', '[]', '[{"handler": "x.js"}]'],
  ['a proxy', 'redirects.json', '[]', '[{"source": "/a", "destination": "https://x.example", "statusCode": 200}]'],
  ['a path above', 'redirects.json', '{"/a": "/b"}', '{"/a": "../../x"}'],
  ['a tag of YAML', '_redirects.yml', '/a: /b\n', '/a: /b\n/c: !!python/name:os.system /d\n'],
  ['a template', 'redirects.json', '{"/a": "/b"}', '{"/a": "/{{ x }}"}'],
])('promise 32: %s is no redirect (%s)', async (_what, path, before, after) => {
  expect(await change(path, before, after)).toBeDefined();
});
