import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../local/github/pages/render-markdown.ts';
import { createFixture } from '../github/github-fixture.ts';

test('a commit page shows message, author and diff, all escaped', async () => {
  await using fixture = await createFixture();
  const { github } = fixture;
  await github
    .asPerson('mona')
    .pushCommit('acme/docs', 'work', { 'work.md': '<b>one</b>\n' }, 'Write <it>\n\nBecause it was missing.');
  const { data } = await fixture.asInstallation.rest.git.getRef({ owner: 'acme', repo: 'docs', ref: 'heads/work' });
  const answer = await fetch(`${github.webUrl}/acme/docs/commit/${data.object.sha}`);
  const page = await answer.text();
  expect(answer.status).toBe(200);
  for (const part of ['<h1>Write &lt;it&gt;</h1>', 'Because it was missing.', 'mona', '+&lt;b&gt;one&lt;/b&gt;'])
    expect(page).toContain(part);
});

const quote = (text: string) => `<blockquote class="muted">${text}</blockquote>`;

test.each([
  ['- a\n- [x] b', '<ul><li>a</li><li>b</li></ul>'],
  ['- **demo** (api), at noon:\n  > text', `<ul><li><strong>demo</strong> (api), at noon:${quote('text')}</li></ul>`],
  [
    '- a:\n  > one\n  >\n  > two\n- b:\n  > three',
    `<ul><li>a:${quote('one\n\ntwo')}</li><li>b:${quote('three')}</li></ul>`,
  ],
  ['- a\n  more', '<ul><li>a<p>more</p></li></ul>'],
  ['- a:\n  > <b>', `<ul><li>a:${quote('&lt;b&gt;')}</li></ul>`],
])('%j becomes %s', (markdown, html) => {
  expect(renderMarkdown(markdown).html).toBe(html);
});
