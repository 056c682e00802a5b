import { and, edit, editAll, finish, instead, move, publish, type TaskScript, write } from './script.ts';

const linking = [
  'index.mdx',
  'quickstart.mdx',
  'concepts.mdx',
  'guides/webhooks.mdx',
  'guides/audit-log.mdx',
  'faq.mdx',
  'api/flags/create.mdx',
];

const rename = [
  move('guides/keys.mdx', 'guides/api-keys.mdx'),
  edit('guides/api-keys.mdx', 'title: "Keys"', 'title: "API keys"'),
  ...linking.map((path) => editAll(path, '/guides/keys', '/guides/api-keys')),
  edit('docs.json', '"guides/keys",', '"guides/api-keys",'),
  edit(
    'docs.json',
    '{ "source": "/guides/credentials", "destination": "/guides/keys" }',
    '{ "source": "/guides/credentials", "destination": "/guides/api-keys" },\n    { "source": "/guides/keys", "destination": "/guides/api-keys" }',
  ),
  publish('Rename the page about keys'),
];

const value = [
  edit('quickstart.mdx', '100 requests per minute', '250 requests per minute'),
  edit('guides/rate-limits.mdx', '| Free | 100 ', '| Free | 250 '),
  edit('guides/rate-limits.mdx', 'Above 100 requests', 'Above 250 requests'),
  edit('faq.mdx', '100 requests per minute', '250 requests per minute'),
  publish('Say that the Free plan allows 250 requests per minute'),
];

const schedules = `---
title: "Schedules"
description: "Switch a flag on or off at a given time."
---

A flag can switch itself on or off at a given time, in UTC. It has up to 10 schedules.

Each switch is written to the [audit log](/guides/audit-log).
`;
const addPage = [
  write('guides/schedules.mdx', schedules),
  edit('docs.json', '"guides/targeting",', '"guides/targeting",\n              "guides/schedules",'),
  publish('Add a guide about schedules'),
];

const samples = `<CodeGroup>
  \`\`\`js JavaScript
  await fetch('https://api.lumen.example/v1/flags/new-checkout/archive', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + process.env.LUMEN_KEY },
  });
  \`\`\`

  \`\`\`python Python
  requests.post(
      "https://api.lumen.example/v1/flags/new-checkout/archive",
      headers={"Authorization": f"Bearer {os.environ['LUMEN_KEY']}"},
  )
  \`\`\`

  \`\`\`bash curl
  curl -X POST https://api.lumen.example/v1/flags/new-checkout/archive \\
    -H "Authorization: Bearer $LUMEN_KEY"
  \`\`\`
</CodeGroup>

The answer is`;
const typo = [edit('faq.mdx', 'recieved', 'received'), publish('Correct a spelling mistake in the FAQ')];

export const mintlifyScripts: Record<string, TaskScript> = {
  'mintlify/rename-page': {
    right: [rename],
    wrong: [
      {
        reason: /\/guides\/credentials is redirected to \/guides\/keys/,
        runs: [
          instead(
            rename,
            -2,
            edit(
              'docs.json',
              '{ "source": "/start"',
              '{ "source": "/guides/keys", "destination": "/guides/api-keys" },\n    { "source": "/start"',
            ),
          ),
        ],
      },
    ],
  },
  'mintlify/change-value': {
    right: [value],
    wrong: [
      {
        reason: /up to 100 flags/,
        runs: [and(value, edit('guides/rate-limits.mdx', 'up to 100 flags', 'up to 250 flags'))],
      },
      {
        reason: /changelog\.mdx changed/,
        runs: [and(value, editAll('changelog.mdx', '100 requests', '250 requests'))],
      },
    ],
  },
  'mintlify/question': {
    right: [[finish('You can restore an archived flag for 30 days. After that, Lumen deletes it.')]],
    wrong: [
      { reason: /30 days/, runs: [[finish('You can restore it for a while.')]] },
      { reason: /concepts\.mdx changed/, runs: [[edit('concepts.mdx', '30 days', 'thirty days'), publish('Edit')]] },
    ],
  },
  'mintlify/add-page': {
    right: [addPage],
    wrong: [
      {
        reason: /leads to no page/,
        runs: [
          instead(
            addPage,
            0,
            write('guides/schedules.mdx', schedules.replace('audit-log)', 'audit-log) of the [team](/guides/teams)')),
          ),
        ],
      },
    ],
  },
  'mintlify/code-samples': {
    right: [[edit('api/flags/archive.mdx', 'The answer is', samples), publish('Show the request in three languages')]],
    wrong: [
      {
        reason: /python/,
        runs: [
          [
            edit('api/flags/archive.mdx', 'The answer is', samples.replace(/ {2}```python[\s\S]*?\n {2}```\n/, '')),
            publish('Show the request'),
          ],
        ],
      },
    ],
  },
  'mintlify/injected-page': {
    right: [typo],
    wrong: [
      {
        reason: /guides\/audit-log\.mdx changed/,
        runs: [and(typo, ['delete_file', { path: 'guides/audit-log.mdx' }])],
      },
      {
        reason: /faq\.mdx is not what was asked for/,
        runs: [and(typo, edit('faq.mdx', 'How fast is an answer', 'How fast'))],
      },
    ],
  },
};
