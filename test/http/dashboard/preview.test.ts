import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderPreview } from '../../../src/http/dashboard/jobs/preview/render-preview.ts';
import { findPageDamage } from '../../../trials/hostile/judges/find-page-damage.ts';

const imagesUrl = `/projects/prj_1/jobs/job_1/images/${'a'.repeat(40)}`;
const page = { path: 'docs/page.md', imagesUrl };
const show = (after: string, path = page.path) =>
  renderPreview({ ...page, before: null, after, version: 'after', path });
const mark = (before: string, after: string) => renderPreview({ ...page, before, after, version: 'marked' });

describe('a preview shows', () => {
  test.each([
    ['the title of the front matter', '---\ntitle: "Limits"\nicon: x\n---\n\nText.', '<p class="page-h1">Limits</p>'],
    ['a heading below those of the dashboard', '## Uploads', '<p class="page-h2">Uploads</p>'],
    [
      'a component as a labelled box',
      '<Note title="Keys">\n  Text.\n</Note>',
      /component-note">.*Note <.*>Keys<.*\n<p>Text/,
    ],
    [
      'a component in a component',
      '<Tabs>\n<Tab title="A">\n\nOne.\n\n</Tab>\n</Tabs>',
      /Tabs<\/p>\n<div .*Tab .*A.*\n<p>One/,
    ],
    ['a container', ':::warning[Hot]\nText.\n:::', /component-warning">.*warning .*Hot.*\n<p>Text/],
    ['an admonition', '!!! tip "Try"\n    Text.\n\nAfter.', /component-tip">.*Try.*\n<p>Text.<\/p>\n<\/div>\n<p>After/],
    [
      'an alert of GitHub',
      '> [!WARNING]\n> Hot.\n>\n> > Quoted.',
      /component-warning">.*warning<\/p>\n<p>Hot.<\/p>\n<blockquote>/,
    ],
    ['a quote that only looks like one', '> [!NOTHING]\n> Cold.', '<blockquote>'],
    ['code in colours', '```js\nconst a = 1;\n```', '<span class="t-keyword">const</span>'],
    ['a table that a keyboard can scroll', '| a |\n| - |\n| b |', /tabindex="0"><table>[\s\S]*<td>b<\/td>/],
    [
      'a whole address as a link',
      '[a](https://acme.example/x)',
      '<a href="https://acme.example/x" rel="noreferrer nofollow">a</a>',
    ],
    ['another address as its words', '[a](/limits)', '<span class="page-link" title="/limits">a</span>'],
    ['the name of an image', '![A chart](chart)', '<span class="page-image">Image: A chart</span>'],
    ['a component that nothing closes', '<Card title="A">\n\nText.', /Card .*A/],
    ['text that looks like a tag', 'a <b>c</b>', '&lt;b&gt;'],
  ])('%s', async (_what, source, shown) => {
    const html = await show(source);
    if (typeof shown === 'string') expect(html).toContain(shown);
    else expect(html).toMatch(shown);
  });
});

describe('what changed is marked', () => {
  test.each([
    ['in words', 'Send 60 requests.', 'Send 100 requests.', '<p>Send <del>60</del><ins>100</ins> requests.</p>'],
    [
      'as a block that is new',
      'One.',
      'One.\n\nTwo.',
      '<div class="page-added"><span class="sr">Added: </span><p>Two.</p>',
    ],
    [
      'as a block that is gone',
      'One.\n\nTwo.',
      'One.',
      '<div class="page-removed"><span class="sr">Removed: </span><p>Two.</p>',
    ],
    [
      'in an item of a list',
      '- one page\n- two',
      '- one big page\n- two',
      /<li>one (?:<ins>big<\/ins> |<ins>big<\/ins>)/,
    ],
  ])('%s', async (_what, before, after, shown) => {
    const html = await mark(before, after);
    if (typeof shown === 'string') expect(html).toContain(shown);
    else expect(html).toMatch(shown);
  });
});

test('a version before the change is shown by itself', async () => {
  expect(await renderPreview({ ...page, before: 'One.', after: 'Two.', version: 'before' })).toBe('<p>One.</p>\n');
});

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<Note title="&quot; onclick=alert(1)">',
  '</Note>',
  '<Card href="javascript:alert(1)" />',
  '<Tabs items={["<script>"]}>',
  '</div></article></section>',
  ':::note[</p><script>alert(1)</script>]',
  ':::',
  '!!! x "<img src=x onerror=alert(1)>"',
  '    </details><script>alert(1)</script>',
  '[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](https://a"onclick=alert(1))',
  '![x](https://evil.example/x.png) ![<b>](y" onerror=alert(1))',
  '![x" onerror="alert(1)](<a.png" onerror="alert(1).png>) ![](/../../x.svg)',
  'image::x.png["onerror=alert(1)]',
  '.. note:: <script>alert(1)</script>\n\n   `x <javascript:alert(1)>`_',
  '```js"><script>alert(1)</script>',
  '```',
  '| a | <script> |\n| - | - |',
  '- item\n  <Note>',
  '---\ntitle: <script>alert(1)</script>\n---',
  '<ins>a</ins><del>b</del>',
  '<!-- --><style>*{}</style>',
  '[x]: javascript:alert(1)\n[x]',
  'text & &lt;script&gt; &#106;avascript:',
];

test('whatever a page holds is only text, marked or not', async () => {
  const text = fc.array(fc.constantFrom(...hostile), { maxLength: 8 }).map((lines) => lines.join('\n'));
  const path = fc.constantFrom('a.md', 'b.rst', 'c.adoc');
  const versions = fc.constantFrom('marked', 'after', 'before');
  await fc.assert(
    fc.asyncProperty(text, text, versions, path, async (before, after, version, path) => {
      const content = await renderPreview({ imagesUrl, path, before, after, version });
      expect(findPageDamage(content)).toEqual([]);
      const opened = content.match(/<(?:div|p|ul|ol|table|pre|span|a|ins|del)[ >]/g)?.length ?? 0;
      const closed = content.match(/<\/(?:div|p|ul|ol|table|pre|span|a|ins|del)>/g)?.length ?? 0;
      expect(opened).toBe(closed);
    }),
    { numRuns: 200 },
  );
});

describe('an image', () => {
  test.each([
    ['beside the page', 'a b.png', 'docs/a+b.png'],
    ['above it', '../img/x.svg', 'img/x.svg'],
    ['of the root of the site', '/img/x.png?v=2', '%2Fimg%2Fx.png'],
  ])('%s is shown from the commit of the job', async (_what, address, path) => {
    const content = await show(`![A "b"](<${address}>)`);
    expect(content.replaceAll('%2F', '/')).toContain(
      `<img class="page-picture" src="${imagesUrl}?path=${path.replaceAll('%2F', '/')}" alt="A &quot;b&quot;" loading="lazy">`,
    );
  });

  test.each(['https://evil.test/x.png', '//evil.test/x.png', '../../x.png', 'x.html', 'data:image/png;base64,aa', 'x'])(
    'at %s is only its name',
    async (address) => {
      expect(await show(`![Name](<${address}>)`)).toBe('<p><span class="page-image">Image: Name</span></p>\n');
    },
  );
});

test('reStructuredText is shown with its headings, lists, code, links and directives', async () => {
  const text = `Title
=====

See \`the limits <limits.html>\`_ and \`\`code\`\`, or :ref:\`errors\`.

.. note:: Mind

   Keys expire.

Part
----

#. One
#. Two

Run::

    npm <test>

.. code-block:: js

   const a = 1;

After.`;
  const content = await show(text, 'docs/page.rst');
  for (const part of [
    '<p class="page-h1">Title</p>',
    '<p class="page-h2">Part</p>',
    'title="limits.html">the limits</span>',
    '<code>code</code>',
    'component-note',
    '<p>Keys expire.</p>',
    '<ol>\n<li>One</li>',
    'npm &lt;test&gt;',
    '<p>After.</p>',
  ])
    expect(content).toContain(part);
  expect(content).not.toMatch(/====|::/);
});

test('AsciiDoc is shown with its headings, lists, code, links and admonitions', async () => {
  const text = `= Title
:toc:

== Part

NOTE: Keys expire.

* One
** Two
. First

[source,js]
----
const a = '<b>';
----

See link:limits.html[the limits] and *this*.`;
  const content = await show(text, 'docs/page.adoc');
  for (const part of [
    '<p class="page-h1">Title</p>',
    '<p class="page-h2">Part</p>',
    'component-note',
    '<p>Keys expire.</p>',
    '<li>Two</li>',
    '&lt;b&gt;',
    'title="limits.html">the limits</span>',
    '<strong>this</strong>',
  ])
    expect(content).toContain(part);
  expect(content).not.toMatch(/toc|----|\[source/);
});
