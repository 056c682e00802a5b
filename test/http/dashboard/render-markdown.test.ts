import { expect, test } from 'vitest';
import { renderProse } from '../../../src/http/dashboard/jobs/story/render-markdown.ts';
import { ThreadTimeout } from '../../../src/threads/stateful-thread.ts';
import { runInline } from '../../../src/threads/threads.ts';

const { signal } = new AbortController();

test('texts of the model become HTML by their Markdown', async () => {
  const prose = await renderProse(
    { texts: ['*Done*', '# Title', '[a](b.md)'], filesUrl: 'https://x/blob/1' },
    { runTask: runInline, signal },
  );
  expect(prose('*Done*').html).toBe('<p><em>Done</em></p>\n');
  expect(prose('# Title').html).toContain('<strong>Title</strong>');
  expect(prose('[a](b.md)').html).toContain('href="https://x/blob/1/b.md"');
});

test('promise 42: where the Markdown takes too long, the text is shown as it is written', async () => {
  const late = () => Promise.reject(new ThreadTimeout('too late'));
  const prose = await renderProse({ texts: ['[<b>'] }, { runTask: late, signal });
  expect(prose('[<b>').html).toBe('<pre tabindex="0" aria-label="Text">[&lt;b&gt;</pre>');
});
