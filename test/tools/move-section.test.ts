import { expect, test } from 'vitest';
import { createToolbox } from './toolbox.ts';

const docs = JSON.stringify({ navigation: { pages: ['index', 'guides/use', 'guides/limits'] } });
const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`;

test('a section moves to another page, and links to it and in it follow', async () => {
  await using box = await createToolbox({
    'docs.json': docs,
    'index.mdx': page(
      'Home',
      'See [quotas](/guides/use#quotas) and [daily](guides/use#daily), https://acme.dev/guides/use#daily',
    ),
    'guides/use.mdx': page(
      'Use',
      'Mind the [quotas](#quotas).\n\n## Quotas\n\n[Start](#start), [in it](#daily).\n\n### Daily\n\nPer day.\n\n## Start\n\ntext',
    ),
    'guides/limits.mdx': page('Limits', '## Rate\n\nSee [quotas](./use#quotas).\n\n## More\n\ntext'),
  });
  const moved = await box.call('move_file', {
    from: 'guides/use.mdx',
    heading: 'Quotas',
    to: 'guides/limits.mdx',
    after: 'Rate',
  });
  expect(moved).toEqual({
    isError: false,
    output: [
      'moved lines 7-13 of guides/use.mdx to guides/limits.mdx:9: ## Quotas',
      'updated links: 1 in the section, 1 in guides/use.mdx, 1 in guides/limits.mdx',
      'updated 2 places in 1 file:',
      'index.mdx:5: See [quotas](/guides/limits#quotas) and [daily](guides/limits#daily), https://acme.dev/guides/use#daily',
      'Still named as text or in code, where nothing was updated:',
      'index.mdx:5: See [quotas](/guides/limits#quotas) and [daily](guides/limits#daily), https://acme.dev/guides/use#daily',
    ].join('\n'),
  });
  expect(await box.read('guides/use.mdx')).toBe(
    page('Use', 'Mind the [quotas](/guides/limits#quotas).\n\n## Start\n\ntext'),
  );
  expect(await box.read('guides/limits.mdx')).toBe(
    page(
      'Limits',
      '## Rate\n\nSee [quotas](#quotas).\n\n## Quotas\n\n[Start](./use#start), [in it](#daily).\n\n### Daily\n\nPer day.\n\n## More\n\ntext',
    ),
  );
  expect(await box.output('check', {})).toContain('your changes broke nothing');
});

test('a title with a line above it is told by its words', async () => {
  await using box = await createToolbox({
    'conf.py': '',
    'index.rst': '.. toctree::\n\n   a\n',
    'a.rst': '#####\nAaaaa\n#####\n\ntext\n\nB\n==\n\ntext\n',
  });
  expect(await box.output('move_file', { from: 'a.rst', heading: 'B', to: 'b.rst' })).toMatch(
    /^moved lines 7-10 of a.rst to b.rst:1: B\n/,
  );
  expect(await box.read('b.rst')).toBe('####\nB\n####\n\ntext\n');
});
