import { expect, test } from 'vitest';
import { describeUnseen, listImages } from '../../src/text/list-images.ts';

const asset = 'https://github.com/user-attachments/assets/1b2c3d4e-0000-4000-8000-000000000000';

test.each<[string, string, string[]]>([
  ['of Markdown', '![a](a.png) and ![](<b.png> "B") and [c](c.png)', ['a.png', 'b.png']],
  ['of Markdown by reference', '![a][one]\n\n[one]: a.png', ['[one]']],
  ['of HTML', '<img width="9" alt="x" src="https://a.test/a.png"> <IMG src=b.png>', ['https://a.test/a.png', 'b.png']],
  ['that people dropped into a comment', `See ${asset}\n\n<img src="${asset}" />`, [asset]],
  ['with a signed address', `![x](${asset}?jwt=1) ![x](${asset}?jwt=2)`, [asset]],
  ['none in code', '`![a](a.png)`\n\n```md\n![b](b.png)\n<img src="c.png">\n```\n', []],
  ['none in a text', 'Wow! [a](a.png) is 5 < 6 <b>img src=x</b>', []],
])('the images of an instruction are found: %s', (_name, text, expected) => {
  expect(listImages(text)).toEqual(expected);
});

test('people are told how many images were not seen', () => {
  expect(describeUnseen(2)).toBe('2 images were not seen: Pagewright reads only text.');
  expect(describeUnseen(1)).toBe('1 image was not seen: Pagewright reads only text.');
  expect(describeUnseen(0)).toBeUndefined();
});

test('hostile texts are searched in linear time', () => {
  for (const part of ['![', '![](', '<img ', '<img src=', '![a]['])
    expect(listImages(part.repeat(20_000))).toBeInstanceOf(Array);
});
