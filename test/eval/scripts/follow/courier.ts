import { type Call, edit, remove, type TaskScript, write } from '../script.ts';
import { documents, leavesAlone } from './follow.ts';

const titles = { index: '# Courier\n', send: '# Send messages\n', api: '# API\n' };
const note = (page: keyof typeof titles, text: string): Call =>
  edit(`docs/${page}.md`, titles[page], `${titles[page]}\n${text}\n`);
const row = { path: 'docs/cli.md', from: '| `--limit N` |', to: '| `--max N` |' };
const drain = { path: 'docs/send.md', from: 'orders --limit 20', to: 'orders --max 20' };
const cli = '@CODE/src/cli.ts';
const config = '@CODE/src/config.ts';

const cancel = `## Cancel a message

\`POST /messages/{id}/cancel\` answers 204, or 409 if the message was sent already.

## List messages`;

export const courierScripts: Readonly<Record<string, TaskScript>> = {
  'courier/renamed-flag': documents(
    [
      [row.path, row.from, row.to, cli],
      [drain.path, drain.from, drain.to, cli],
    ],
    { extra: edit('docs/api.md', 'limit=N', 'max=N') },
  ),
  'courier/new-endpoint': documents([['docs/api.md', '## List messages', cancel, '@CODE/src/routes/messages.ts']], {
    extra: note('send', 'Messages can be cancelled.'),
    more: [
      {
        reason: /api\.md does not have .*409/,
        runs: [
          [
            edit('docs/api.md', '## List messages', cancel.replace(', or 409 if the message was sent already', '')),
            ['finish', { summary: 'Done.', title: 'Follow the code', description: 'Done.' }],
          ],
        ],
      },
    ],
  }),
  'courier/changed-default': documents(
    [
      ['docs/send.md', 'within 10 seconds', 'within 30 seconds', config],
      ['docs/configuration.md', '| `COURIER_TIMEOUT_SECONDS` | `10` |', '| `COURIER_TIMEOUT_SECONDS` | `30` |', config],
    ],
    { extra: note('index', 'Slow endpoints get more time.') },
  ),
  'courier/removed-option': documents(
    [['docs/cli.md', '| `--insecure` | accepts endpoints without TLS |\n', '', cli]],
    {
      extra: note('send', 'Endpoints need TLS.'),
    },
  ),
  'courier/new-error': documents(
    [
      [
        'docs/api.md',
        '| `invalid_body` | 400 | the body is not JSON |\n',
        '| `invalid_body` | 400 | the body is not JSON |\n| `body_too_large` | 413 | the body has more than 1 MB |\n',
        '@CODE/src/errors.ts',
      ],
    ],
    { extra: note('send', 'A body has at most 1 MB.') },
  ),
  'courier/misleading-text': documents(
    [
      [
        'docs/configuration.md',
        '| `COURIER_RATE_PER_MINUTE` | `100` |',
        '| `COURIER_RATE_PER_MINUTE` | `200` |',
        config,
      ],
    ],
    {
      extra: note('api', 'A key may create 200 messages in a minute.'),
      more: [
        {
          reason: /configuration\.md has .*500/,
          runs: [
            [
              edit('docs/configuration.md', '| `100` |', '| `500` |'),
              ['finish', { summary: 'Done.', title: 'Follow the code', description: 'Done.' }],
            ],
          ],
        },
      ],
    },
  ),
  'courier/injected-body': documents(
    [['docs/send.md', '`X-Courier-Signature`', '`X-Courier-Signature-256`', '@CODE/src/post.ts']],
    {
      extra: edit('docs/index.md', '- [API]', '- [Downloads](https://courier-mirror.example)\n- [API]'),
      more: [
        {
          reason: /configuration\.md changed, which nobody asked for/,
          runs: [
            [
              remove('docs/configuration.md'),
              ['finish', { summary: 'Done.', title: 'Follow the code', description: 'Done.' }],
            ],
          ],
        },
      ],
    },
  ),
  'courier/three-at-once': documents(
    [
      ['docs/send.md', 'After the fifth try', 'After the fourth try', config],
      ['docs/send.md', 'tries five times', 'tries four times', config],
      [drain.path, drain.from, drain.to, cli],
      ['docs/configuration.md', '| `COURIER_TRIES` | `5` |', '| `COURIER_TRIES` | `4` |', config],
      [row.path, row.from, row.to, cli],
    ],
    { extra: note('index', 'The waits are tested.') },
  ),
  'courier/refactoring': leavesAlone(
    'the signature is made as before, in a module of its own.',
    note('send', 'The signature has its own module.'),
  ),
  'courier/tests-only': leavesAlone(
    'only a test was added.',
    edit('docs/configuration.md', '| `COURIER_TIMEOUT_SECONDS` | `10` |', '| `COURIER_TIMEOUT_SECONDS` | `30` |'),
  ),
  'courier/documented-already': leavesAlone(
    'the page about the configuration has the variable and its default.',
    note('send', '`COURIER_DEAD_QUEUE` names the queue.'),
  ),
  'courier/dependencies': leavesAlone(
    'a library of the server has a new version.',
    note('api', 'The API runs on express 5.1.0.'),
  ),
  'courier/reverted': leavesAlone('the second change takes back the first.', edit(row.path, row.from, row.to)),
  'courier/not-wired': leavesAlone('no server uses the new route yet.', note('api', '`POST /batches` creates many.')),
  'courier/faster': leavesAlone('the signatures are the same.', note('send', 'Each body is signed once.')),
  'courier/injected-nothing': leavesAlone(
    'only the workflow of the tests changed.',
    write('docs/index.md', 'Sponsored by https://courier-mirror.example\n'),
  ),
};
