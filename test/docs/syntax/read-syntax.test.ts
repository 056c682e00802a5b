import { expect, test } from 'vitest';
import { frameworks } from '../../../src/docs/frameworks/frameworks.ts';
import { plain } from '../../../src/docs/frameworks/plain.ts';
import { readSyntax } from '../../../src/docs/syntax/read-syntax.ts';
import { rowsOf } from '../support/rows-of.ts';

const frameworkNamed = (name: string) => frameworks.find((framework) => framework.name === name) ?? plain;

const read = (text: string, framework: string) => {
  const isMdx = ['Mintlify', 'Docusaurus', 'Nextra', 'Fumadocs', 'Starlight'].includes(framework);
  return readSyntax(text, { framework: frameworkNamed(framework), isMdx }).faults.map(
    ({ line, message }) => `${line}: ${message}`,
  );
};

test.each(
  rowsOf<{ framework?: string; text: string; faults: string[] }>({
    'a less-than sign before a digit': {
      text: '# Limits\n\nFor sizes <5 MB.\n',
      faults: [
        '3: the page does not parse: Unexpected character `5` (U+0035) before name, expected a character that can start a name, such as a letter, `$`, or `_`. The line: For sizes <5 MB. Write &lt;5 for <5, or put it in code',
      ],
    },
    'a brace that is text': {
      text: 'Set {your-key here}.\n',
      faults: [
        '1: the page does not parse: Could not parse expression with acorn. The line: Set {your-key here}. Write \\{ for a brace that is text, or put it in code',
      ],
    },
    'a brace that is not closed': {
      text: 'Set {a.\n\nMore.\n',
      faults: [
        '1: the page does not parse: Unexpected end of file in expression, expected a corresponding closing brace for `{`. The line: Set {a. Write \\{ for a brace that is text, or put it in code',
      ],
    },
    'a comment of HTML': {
      text: 'A\n\n<!-- todo -->\n',
      faults: [
        '3: the page does not parse: Unexpected character `!` (U+0021) before name, expected a character that can start a name, such as a letter, `$`, or `_` (note: to create a comment in MDX, use `{/* text */}`). The line: <!-- todo -->. Write a comment as {/* … */}',
      ],
    },
    'a component that is not closed, at the line that opens it': {
      text: '# A\n\n<Card title="x">\n\nText.\n\nMore.\n',
      faults: [
        '3: the page does not parse: Expected a closing tag for `<Card>`. The line: <Card title="x">. Close </Card>, opened at line 3, with a tag of the same indentation',
      ],
    },
    'components that are closed in the wrong order': {
      text: '<Card><Note>x</Card></Note>\n',
      faults: [
        '1: the page does not parse: Unexpected closing tag `</Card>`, expected corresponding closing tag for `<Note>`. The line: <Card><Note>x</Card></Note>. Close the inner tag before </Card>',
      ],
    },
    'a closing tag alone': {
      text: 'A\n\n</Card>\n',
      faults: [
        '3: the page does not parse: Unexpected closing slash `/` in tag, expected an open tag first. The line: </Card>. Remove this closing tag, or add the opening one',
      ],
    },
    'an address in angle brackets': {
      text: 'See <https://example.com/a>.\n',
      faults: [
        '1: the page does not parse: Unexpected character `/` (U+002F) before local name, expected a character that can start a name, such as a letter, `$`, or `_` (note: to create a link in MDX, use `[text](url)`). The line: See <https://example.com/a>. Write a link as [text](url)',
      ],
    },
    'ids behind headings, where they are idiom': { text: '## Title {#id}\n', faults: [] },
    'comments and ids of Docusaurus': {
      framework: 'Docusaurus',
      text: '## Title {#id}\n\n<!-- truncate -->\n\n:::note[Title]\n\nText.\n\n:::\n',
      faults: [],
    },
    'front matter with braces and less-than signs': {
      text: '---\ntitle: "a <5 {b}"\n---\n\nText.\n',
      faults: [],
    },
    'a container that is not closed': {
      framework: 'Docusaurus',
      text: ':::note\n\nText.\n\nMore.\n',
      faults: ['1: the container ::: is not closed by a line :::. The line: :::note'],
    },
    'a container inside of another': {
      framework: 'VitePress',
      text: ':::: tip\n::: info\nText.\n:::\n::::\n',
      faults: [],
    },
    'a stray end of a container': {
      framework: 'Starlight',
      text: 'Text.\n\n:::\n',
      faults: ['3: ::: closes a container that is not open. The line: :::'],
    },
    'colons of other generators': { framework: 'MkDocs', text: '::: package.module\n', faults: [] },
    'a component of Vue that is not closed': {
      framework: 'VitePress',
      text: '<Tabs>\n\nText.\n\n',
      faults: ['1: the tag <Tabs> is not closed. The line: <Tabs>'],
    },
    'types in prose, which Vue reads as tags': {
      framework: 'VitePress',
      text: 'Returns Promise<Page>.\n',
      faults: ['1: the tag <Page> is not closed. The line: Returns Promise<Page>'],
    },
    'tags of Vue that are whole': {
      framework: 'VitePress',
      text: '<script setup>\nconst a = 1 < 2;\nconst b = "<x>";\n</script>\n\n<Badge type="tip" />\n\nMail <me@example.com>, \\<T>\n\n<Hero :a="1 > 0" @click="x" #title>\n<img src="/a.png">\n\n</Hero>\n\n`Promise<T>` <https://example.com>\n\n    <indented>\n',
      faults: [],
    },
    'a block of GitBook that is not closed': {
      framework: 'GitBook',
      text: '{% hint style="info" %}\nText.\n',
      faults: ['1: the block {% hint %} is not closed by {% endhint %}. The line: {% hint style="info" %}'],
    },
    'the wrong end of a block': {
      framework: 'GitBook',
      text: '{% tabs %}\n{% tab title="A" %}\n{% endtabs %}\n{% endtab %}\n',
      faults: [
        '2: the block {% tab %} is not closed by {% endtab %}. The line: {% tab title="A" %}',
        '4: {% endtab %} closes a block that is not open. The line: {% endtab %}',
      ],
    },
    'blocks that may stand alone, and blocks in code': {
      framework: 'GitBook',
      text: '{% embed url="https://example.com" %}\n\n{% embed url="https://example.com" %}\nText.\n{% endembed %}\n\n`{% hint %}`\n\n```\n{% hint %}\n```\n',
      faults: [],
    },
    'a fence that is open at the end': {
      framework: 'Markdown',
      text: 'A\n\n```js\nb\n',
      faults: ['3: the code fence is not closed. The line: ```js'],
    },
    'a fence that swallows the next one': {
      text: '```js\na\n\nText.\n\n```sh\nb\n```\n',
      faults: [
        '1: the code fence is not closed before the next one opens (line 6 opens one inside of it). The line: ```js',
      ],
    },
    'fences in longer fences, in lists, in quotations and in templates': {
      text: '````md\n```js\na\n```\n````\n\n- a\n\n  ```js\n  b\n  ```\n\n> ```js\n> c\n> ```\n\nexport const x = `\n\n~~~js\n`;\n',
      faults: [],
    },
    'fences that are indented by more than their fence': {
      framework: 'MkDocs',
      text: '!!! note\n\n    ``` md\n    === "Tab"\n\n        ``` sh\n        a\n        ```\n    ```\n',
      faults: [],
    },
    'what Markdown takes as text': { framework: 'Markdown', text: 'a <5 {b\n\n<div>\n\n</Card>\n', faults: [] },
  }),
)('$framework: $name', ({ framework = 'Mintlify', text, faults }) => {
  expect(read(text, framework)).toEqual(faults);
});

test('a page uses components and names that it does not declare', () => {
  const text = `import Note, { Tip as Hint } from './note.mdx'
import * as All from './all.mdx'

export const { limit, nested: [first], ...rest } = { limit: 1 };
export function Made() {}

<Note /> <Hint /> <All.One /> <Made /> <Lost.Part>{limit} {first} {rest.a}</Lost.Part> <div>{Math.max(1, 2)}</div>

<Card title={unknown} count={3} list={[1].map((x) => x)}>{lost} {lost.property} {'text'} {/* comment */}</Card>
`;
  expect(readSyntax(text, { framework: frameworkNamed('Mintlify'), isMdx: true })).toEqual({
    faults: [],
    data: [],
    undeclared: [
      { kind: 'component', name: 'Lost', line: 7 },
      { kind: 'component', name: 'Card', line: 9 },
      { kind: 'name', name: 'unknown', line: 9 },
      { kind: 'name', name: 'lost', line: 9 },
      { kind: 'name', name: 'lost', line: 9 },
    ],
  });
});
