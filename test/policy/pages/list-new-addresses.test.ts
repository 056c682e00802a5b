import { expect, test } from 'vitest';
import { listNewAddresses } from '../../../src/policy/pages/list-new-addresses.ts';
import { createWorld } from '../../workspace/world.ts';

test('promise 19: addresses on hosts that no page of the base names are listed, in order', async () => {
  await using world = await createWorld();
  const site = { 'docs.json': '{}', 'a.mdx': '[known](https://known.example/a)\n', 'b.mdx': 'https://prose.example\n' };
  const first = world.addCommit(site);
  const sha = world.addCommit(
    {
      ...site,
      'a.mdx': '[known](https://Known.example/b) ![i](https://new.example/i.png) <Card href="//short.example/x" />\n',
      'c.mdx':
        '[x](https://prose.example/x) https://auto.example `https://code.example`\n\n```\nhttps://fence.example\n```\n',
      'src/x.js': 'https://source.example',
    },
    { branch: 'job', parent: first },
  );
  // The base has moved on, and dropped a host that the change did not touch.
  const base = world.addCommit({ ...site, 'b.mdx': 'Text' }, { parent: first });
  const { directory: gitDir } = await world.fetch({ branch: 'job' });
  const list = (commit: string) =>
    listNewAddresses({ git: world.git, gitDir, signal: world.signal, base: commit, sha });
  expect(await list(first)).toEqual(['//short.example/x', 'https://auto.example', 'https://new.example/i.png']);
  expect(await list(base)).toContain('https://prose.example/x');
  expect(await list(sha)).toEqual([]);
});
