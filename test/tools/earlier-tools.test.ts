import { expect, test } from 'vitest';
import { listEarlierTools } from '../../src/tools/create-tools.ts';
import { createToolbox } from './toolbox.ts';

const files = {
  'docs.json': JSON.stringify({ navigation: { pages: ['index', 'limits'] } }),
  'index.mdx': '---\ntitle: Home\n---\n\nSee [limits](/limits#daily).\n',
  'limits.mdx': '---\ntitle: Limits\n---\n\n## Daily\n\n60 a day.\n\n## Hourly\n\n5 an hour.\n',
};

test.each([
  ['outline', { path: 'limits.mdx' }, /Daily/],
  ['find_references', { target: 'limits.mdx' }, /index\.mdx:5/],
  ['insert_text', { path: 'limits.mdx', after: 'end', text: 'More.' }, /edited limits\.mdx/],
])('a run that began before an upgrade still calls %s', async (name, args, output) => {
  await using box = await createToolbox(files);

  const tool = listEarlierTools(box.tools).find((each) => each.name === name);

  expect(await tool?.call(JSON.stringify(args), box.world.signal)).toEqual({
    isError: false,
    output: expect.stringMatching(output),
  });
});
