import { expect, test } from 'vitest';
import { defaultToolLimits } from '../../src/tools/output/limits.ts';
import { showPart } from '../../src/tools/output/show-part.ts';
import { createToolbox } from './toolbox.ts';

const page =
  '# Top\n\nintro\n\n## Set up {#setup}\n\none\n\n### Linux\n\ntwo\n\n## Use it\n\n```sh\n# no heading\n```\n\n## Set up\n\nagain\n';
const show = (part: object, text = page) =>
  showPart({ path: 'a.md', mark: undefined, text, limits: defaultToolLimits, ...part }).output;

test.each([
  ['its text', 'Use it', 'a.md: lines 13-18 of 21\n\n## Use it\n\n```sh\n# no heading\n```\n'],
  ['its id', '#setup', 'a.md: lines 5-12 of 21\n\n## Set up {#setup}\n\none\n\n### Linux\n\ntwo\n'],
  ['a text that occurs twice', '## set up', 'a.md: lines 5-12 of 21; the same heading is at line 19\n\n## Set up'],
  ['an unknown text', 'Nothing', 'a.md has no heading Nothing; it has:\n1: # Top\n5: ## Set up\n9: ### Linux\n'],
])('a section is read by %s', (_, heading, expected) => {
  expect(show({ heading })).toContain(expected);
});

test('of a long page the beginning and the headings below are shown', () => {
  const long = `${page}${'text\n'.repeat(4_000)}## Far below\n\n${'more\n'.repeat(2_000)}`;
  const output = show({}, long);
  expect(output.length).toBeLessThan(defaultToolLimits.maxFirstCharacters + 500);
  expect(output).toContain('; call again with offset');
  expect(output).toMatch(/\[Headings below, to read with heading or offset:\n4022: ## Far below\n\]$/);
  expect(show({ heading: 'Far below' }, long)).toContain('lines 4,022-6,023 of 6,023\n\n## Far below');
});

test('read_file says why a file is protected', async () => {
  await using box = await createToolbox({ 'package.json': '{}\n', 'docs.json': '{"navigation": {"pages": []}}\n' });
  expect(await box.output('read_file', { path: 'package.json' })).toMatch(
    /^package\.json \(protected: .+\): lines 1-1 of 1\n/,
  );
  expect(await box.output('read_file', { path: 'docs.json' })).toMatch(/^docs\.json \(only .+ may change\): lines/);
});
