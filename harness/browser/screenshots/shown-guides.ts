import type { Script, ScriptStep } from '../../../local/model/script.ts';
import { finish } from '../../script-steps.ts';

const names = [
  ...['quickstart', 'authentication', 'limits', 'errors', 'pagination', 'webhooks', 'uploads', 'search'],
  ...['exports', 'regions', 'billing', 'teams', 'audit-log', 'migrations', 'glossary'],
];
const titles = names.map((name) => name.replace('-', ' ').replace(/^./, (letter) => letter.toUpperCase()));

/** A page of a guide, about version 3 or 4 of an API. */
function formatPage(title: string, version: 3 | 4): string {
  const isNew = version === 4;
  const steps = Array.from(
    { length: isNew ? 14 : 9 },
    (_, step) =>
      `${step + 1}. Step ${step + 1} of ${title.toLowerCase()}: call \`/v${version}/${title.toLowerCase().replace(' ', '-')}/${step}\` and read **all** of its answer.`,
  );
  return `---
title: ${title}
description: How to use ${title.toLowerCase()} with version ${version} of the API
---

Every client of Acme meets ${title.toLowerCase()} sooner or later. This page says what to do${isNew ? ', and what changed in version 4' : ''}.

<Note>
  Keys of version ${version} ${isNew ? 'work in every region' : 'work in one region'}. See [limits](/limits).
</Note>

## Before you begin

- You need a key${isNew ? ' with the scope `write`' : ''}.
- Your client reads JSON.
${isNew ? '- Your client follows redirects.\n' : ''}
## What to do

${steps.join('\n')}

\`\`\`js
const answer = await fetch('https://api.acme.example/v${version}', { headers: { key } });
if (answer.status === 429) await pause(answer.headers.get('retry-after'));
\`\`\`

| Setting | Default | Meaning |
| ------- | ------- | ------- |
| timeout | ${isNew ? '30 s' : '10 s'} | How long the client waits |
| retries | ${isNew ? '5' : '3'} | How often it tries again |
${isNew ? '| region | eu | Where the data stays |\n' : ''}
<Tabs>
  <Tab title="Shell">
    Run \`acme ${title.toLowerCase().replace(' ', '-')}\` in your shell.
  </Tab>
  <Tab title="Library">
    Call \`client.${title.toLowerCase().replace(' ', '_')}()\`${isNew ? ' and await it' : ''}.
  </Tab>
</Tabs>
`;
}

const pageOf = (index: number, version: 3 | 4): [string, string] => [
  `${names[index]}.mdx`,
  formatPage(titles[index] ?? '', version),
];

export const guideFiles: Record<string, string> = {
  'docs.json': JSON.stringify(
    { $schema: 'https://mintlify.com/docs.json', name: 'Acme', theme: 'mint', navigation: { pages: names } },
    null,
    2,
  ),
  ...Object.fromEntries(names.map((_, index) => pageOf(index, 3))),
};

export const guideInstructions = {
  rewrite: 'Bring all guides to version 4 of the API.',
  follow: 'Say once more what changed',
};

const writeTwo = (turn: number): ScriptStep => ({
  text: turn === 0 ? 'Fifteen pages name version 3. I read them, then I change one after the other.' : '',
  calls: [turn * 2, turn * 2 + 1]
    .filter((index) => index < names.length)
    .flatMap((index) => {
      const [path, content] = pageOf(index, 4);
      return [
        { name: 'read_file', arguments: { path } },
        { name: 'write_file', arguments: { path, content } },
      ];
    }),
});

/** Fifteen pages; then each follow-up is a question. */
export const rewriteGuides: Script = (request) => {
  const isFollowUp = (request.messages[0]?.text.match(/<earlier-run /g)?.length ?? 0) > 0;
  if (isFollowUp)
    return {
      text: 'Nothing else has to change. In short:\n\n- Keys work in **every region**.\n- The default time-out is `30 s`.\n\n| Page | Lines |\n| --- | --- |\n| [limits.mdx](limits.mdx) | 12 |\n| errors.mdx | 9 |',
    };
  const { turn } = request;
  if (turn * 2 < names.length) return writeTwo(turn);
  const summary =
    'All guides describe **version 4** now: keys in every region, longer time-outs, and a `region` setting.';
  return finish(summary, { title: 'Bring the guides to version 4 of the API' });
};
