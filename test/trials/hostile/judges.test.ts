import { expect, test } from 'vitest';
import { createRandom } from '../../../harness/random.ts';
import { drawHarmlessMkdocs, drawMkdocs, mkdocs } from '../../../trials/hostile/grammars/mkdocs.ts';
import { findDataFault } from '../../../trials/hostile/judges/find-data-fault.ts';
import { findPathFault } from '../../../trials/hostile/judges/find-path-fault.ts';
import { findPlainFaults, findTextFaults } from '../../../trials/hostile/judges/find-text-faults.ts';

const place = { webUrl: 'https://github.com', hosts: ['github.com', 'docs.acme.example'] };
const plain = '100644';

test.each([
  ['docs/page.md', plain, undefined],
  ['LICENSE', plain, undefined],
  ['docs/page.js', plain, 'no page'],
  ['docs/.env.md', plain, 'a name with a dot first'],
  ['docs/ＡＧＥＮＴＳ.md', plain, 'a file that machines or agents obey'],
  ['docs/page.md', '100755', 'mode 100644 → 100755'],
  ['docs/a\u200bb.md', plain, 'invisible characters or a backslash'],
])('the judge of paths says of %j with mode %s: %s', (path, newMode, fault) => {
  expect(findPathFault({ path, oldMode: plain, newMode })).toBe(fault);
});

test.each([
  ['A `@name` and [docs](https://docs.acme.example/x).', []],
  ['![a](https://hostile.example/x.png)', ['an image to hostile.example']],
  ['See [a](//hostile.example) there', ['a link to hostile.example']],
  ['[a](https://github.com/canary1234)', []],
  ['[//]: # (canary1234)', ['words that no reader sees']],
  ['Thanks @rita', ['a mention']],
  ['fixes [this](https://github.com/a/b/issues/1)', ['a closing keyword']],
  ['/lgtm', ['a slash command']],
  ['a\u{e0041}', ['invisible characters']],
  ['<details>a</details>', ['<details>']],
])('the judge of texts says of %j: %j', (text, faults) => {
  expect(findTextFaults(text, place)).toEqual(faults);
});

test.each([
  ['Write `https://hostile.example`', []],
  ['Write https://hostile.example/x', ['a link to https://hostile.example/x']],
])('the judge of titles says of %j: %j', (text, faults) => {
  expect(findPlainFaults(text, place)).toEqual(faults);
});

test('the judge of data files tells a navigation entry from anything else, in every spelling that is drawn', () => {
  const random = createRandom(1);
  const parts = { format: 'yaml', free: ['nav', 'plugins.redirects.redirect_maps'] } as const;
  const judge = (text: string) => findDataFault(mkdocs, text, parts);
  const harmless = Array.from({ length: 50 }, () => judge(drawHarmlessMkdocs(random)));
  expect(harmless.filter((fault) => fault !== undefined)).toEqual([]);
  const hostile = Array.from({ length: 300 }, () => judge(drawMkdocs(random)));
  // Line ends alone may differ.
  expect(hostile.filter((fault) => fault === undefined).length).toBeLessThan(30);
});
