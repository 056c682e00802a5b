import type { ScriptRequest, ScriptStep } from '../model/script.ts';

export const instruction =
  'Write a guide page on running the CLI in CI, add it to the sidebar, and link to it from the installation page.';

const call = (name: string, args: object) => ({ name, arguments: args });

const page = `# Run it in CI

A build server has no browser. Give \`relay\` its token in \`RELAY_TOKEN\`:

\`\`\`sh
RELAY_TOKEN=$SECRET relay listen --forward-to http://localhost:3000/webhooks
\`\`\`

A step that fails ends with one of the [exit codes](../reference/exitcodes.md).
`;

const finish = call('finish', {
  summary: 'There is a guide page on CI now. It is in the sidebar, and the installation page links to it.',
  title: 'Add a guide page on CI',
  description: 'Readers learn how to use the CLI on a build server, where nobody can log in.',
});

/** Links to a page that does not exist, as people and models do, and fixes the link when the check finds it. */
export const steps: ScriptStep[] = [
  { calls: [call('list_files', {}), call('read_file', { path: '.vitepress/config.mts' })] },
  {
    calls: [
      call('read_file', { path: 'guide/installation.md' }),
      call('read_file', { path: 'reference/exit-codes.md' }),
    ],
  },
  {
    calls: [
      call('write_file', { path: 'guide/ci.md', content: page }),
      call('edit_file', {
        path: '.vitepress/config.mts',
        old_text: "          { text: 'Receive webhooks', link: '/guide/webhooks' },\n",
        new_text:
          "          { text: 'Receive webhooks', link: '/guide/webhooks' },\n          { text: 'Run it in CI', link: '/guide/ci' },\n",
      }),
      call('edit_file', {
        path: 'guide/installation.md',
        old_text: '[Receive your first webhook](./webhooks.md).',
        new_text: '[Receive your first webhook](./webhooks.md), or [run it in CI](./ci.md).',
      }),
      finish,
    ],
  },
  {
    calls: [
      call('edit_file', {
        path: 'guide/ci.md',
        old_text: '../reference/exitcodes.md',
        new_text: '../reference/exit-codes.md',
      }),
      finish,
    ],
  },
];

/** What Vale reports of the new page, in a repository with such a rule. */
export const finding = {
  path: 'guide/ci.md',
  startLine: 3,
  endLine: 3,
  level: 'failure' as const,
  title: 'Acme.Terms',
  message: "Use 'CI runner' instead of 'build server'.",
};

/** The prompt of the message that Pagewright makes of a failing check begins like this. */
export const checkFails = 'A check of this pull request fails';

export const checkSteps: ScriptStep[] = [
  { calls: [call('read_file', { path: finding.path })] },
  {
    calls: [
      call('edit_file', { path: finding.path, old_text: 'A build server', new_text: 'A CI runner' }),
      call('finish', { summary: 'The guide says CI runner now, as the rule Acme.Terms asks.' }),
    ],
  },
];

/** The objection that sends the model back to work when it calls finish. */
export const findObjections = ({ lastResults }: ScriptRequest): string[] =>
  lastResults.flatMap(({ name, output }) => (name === 'finish' ? [output] : []));
