import { expect, test } from 'vitest';
import { checkChange } from '../../../src/docs/check-change.ts';
import { createDocumentation } from '../../../src/docs/documentation.ts';
import { applyEdits } from '../../../src/docs/moves/apply-edits.ts';
import { movePage } from '../../../src/docs/moves/move-page.ts';
import { toTree } from './small-sites.ts';

const page = '---\ntitle: A\n---\n\ntext\n';
const [from, to] = ['content/docs/docker.mdx', 'content/docs/hosting/docker.mdx'];
const files = (old: string, other?: string): Record<string, string> => ({
  'source.config.ts': '',
  [from]: page,
  'content/docs/index.mdx': page,
  'content/docs/hosting/aws.mdx': page,
  'content/docs/meta.json': old,
  ...(other !== undefined && { 'content/docs/hosting/meta.json': other }),
});

function move(before: Record<string, string>) {
  const base = toTree(new Map(Object.entries(before)));
  const { edits } = movePage(createDocumentation({ base, head: base }).with(new Map()), { from, to });
  const after = new Map(Object.entries(before));
  for (const { file, edits: inside } of edits) after.set(file, applyEdits(after.get(file) ?? '', inside));
  after.set(to, after.get(from) ?? '').delete(from);
  const problems = checkChange({ base, head: toTree(after) }).problems.filter(({ kind }) => kind !== 'redirect');
  return {
    old: after.get('content/docs/meta.json'),
    other: after.get('content/docs/hosting/meta.json'),
    problems: problems.map(({ message }) => message),
  };
}

test.each([
  ['first in one line', '{"pages": ["docker", "index", "hosting"]}', '{"pages": ["index", "hosting"]}'],
  ['last in one line', '{"pages": ["index", "hosting", "docker"]}', '{"pages": ["index", "hosting"]}'],
  ['with a mark', '{"pages": ["index", "!docker", "..."]}', '{"pages": ["index", "..."]}'],
  [
    'on a line of its own',
    '{\n  "pages": [\n    "docker",\n    "..."\n  ]\n}\n',
    '{\n  "pages": [\n    "..."\n  ]\n}\n',
  ],
])('an entry of Fumadocs leaves its list when the page moves to another folder: %s', (_, before, after) => {
  expect(move(files(before))).toEqual({ old: after, other: undefined, problems: [] });
});

test.each([
  ['of one line', '{"pages": ["aws"]}', '{"pages": ["aws", "docker"]}'],
  ['of several lines', '{\n  "pages": [\n    "aws"\n  ]\n}\n', '{\n  "pages": [\n    "aws",\n    "docker"\n  ]\n}\n'],
  ['with the rest of the folder', '{"pages": ["aws", "..."]}', '{"pages": ["aws", "..."]}'],
  ['without pages', '{"title": "Hosting"}', '{"title": "Hosting"}'],
])('it comes into the list of the new folder %s', (_, other, expected) => {
  const pages = '{"pages": ["index", "docker", "hosting"]}';
  expect(move(files(pages, other))).toEqual({ old: '{"pages": ["index", "hosting"]}', other: expected, problems: [] });
});
