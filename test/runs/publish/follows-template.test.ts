import { expect, test } from 'vitest';
import { followsTemplate } from '../../../src/runs/publish/follows-template.ts';

const filled = 'We say 90 now, because the limit changed.';

test.each<[string, string, string]>([
  ['headings', '## What changed?\n\nDescribe it.\n\n## Why\n', `## What changed?\n\n${filled}\n\n### Why\n\n${filled}`],
  ['headings with a line below', 'What\n----\n\nWhy\n===\n', `## What\n\n${filled}\n\n## Why\n\n${filled}`],
  ['headings of HTML', '<h3>What</h3>\n<b>Why?</b>\n', `### What\n\n${filled}\n\n### Why?\n\n${filled}`],
  [
    'bold lines',
    '**Description**\n\n**Related issues**\n',
    `**Description**\n\n${filled}\n\n**Related issues**: \`#12\``,
  ],
  ['bold words before text', '**What:** say what\n**Why:** say why\n', `**What:** ${filled}\n**Why:** ${filled}`],
  ['words before a colon', 'Type: docs or fix\nIssue: #\n', `Type: docs\nIssue: \`#12\`\n\n${filled}`],
  ['bullets', '- What you changed\n- How you tested it\n', `- What you changed: ${filled}\n- How you tested it: not.`],
  [
    'boxes',
    '- [ ] I read the guide\n- [ ] I ran the tests\n',
    `${filled}\n\n- [x] I read the guide\n- [ ] I ran the tests`,
  ],
  [
    'a table',
    '| Question | Answer |\n| --- | --- |\n| Fixes | |\n',
    `| Question | Answer |\n|---|---|\n| Fixes | 12 |\n\n${filled}`,
  ],
  ['a part that does not apply', '## What\n## Why\n## Screenshots\n', `## What\n${filled}\n## Why\n${filled}`],
])('a form with %s counts as filled', (_name, template, text) => {
  expect(followsTemplate(text, template)).toBe(true);
  expect(followsTemplate(filled, template)).toBe(false);
});

test.each([
  ['has no parts', 'Thank you for your change.\n'],
  ['shows its parts in code only', '```\n## What\n```\n'],
])('a template that %s is followed by no text', (_name, template) => {
  expect(followsTemplate('## What\n\nThank you for your change.', template)).toBe(false);
});

test('hostile templates and texts are read in linear time', () => {
  for (const part of ['**', '<b', '|', '- [ ] ', 'a:', '<b '.repeat(3), '__a', '\n=== ']) {
    const long = part.repeat(20_000);
    expect(followsTemplate(long, long)).toBeTypeOf('boolean');
  }
});
