import { expect, test } from 'vitest';
import { listHosts } from '../../../src/policy/pages/list-hosts.ts';
import { createWorld } from '../../workspace/world.ts';

test('promise 19: only hosts that a page of the base links to are listed', async () => {
  await using world = await createWorld();
  const sha = world.addCommit({
    'index.md': '[a](https://a.example/x) ![b](<http://B.example:8080/y>)\n\n[c]: https://c.example\n',
    'docs/guide.MDX': '<Card href="https://d.example/x" />\n<https://e.example>\n',
    'guide.rst': '`text <https://f.example/>`_\n\n.. _name: https://g.example\n',
    'guide.adoc': 'link:https://h.example[text]\n',
    'prose.md': 'Call https://prose.example or curl https://code.example\n',
    'src/index.js': 'fetch("https://source.example")\n',
    'image.md': Buffer.from([0, 1, 2]),
  });
  const hosts = await listHosts({ git: world.git, gitDir: world.bare, sha, signal: world.signal });
  expect([...hosts].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `${name}.example`));
});

test('a commit without pages links to no host', async () => {
  await using world = await createWorld();
  const sha = world.addCommit({ LICENSE: 'https://a.example' });
  expect(await listHosts({ git: world.git, gitDir: world.bare, sha, signal: world.signal })).toEqual(new Set());
});
