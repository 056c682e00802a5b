import { opensPullRequest, repliesToAll, replyHas, says } from '../checks/answers.ts';
import { becomes, changesOnly, has, inOrder, lacks, nowhere, onlyAdds, removes, replacesIn } from '../checks/files.ts';
import { spoilBy, type TaskText } from './task.ts';

const dryRun = `## Dry run

\`harbor deploy --dry-run\` shows wether a deploy would work.

It builds the image, and copies nothing.

The releases stay as they are.`;

export const docusaurusTasks: readonly TaskText[] = [
  {
    name: 'docusaurus/add-page',
    asks: 'Add a guide docs/guides/secrets.md, titled "Secrets", right after "Roll back" in the sidebar. It says: `harbor secret set NAME` asks for a value and keeps it encrypted on the servers; apps read it from the environment; an app has up to 100 secrets. Link to the configuration.',
    changes: [
      changesOnly('docs/guides/secrets.md', 'sidebars.ts'),
      has(
        'docs/guides/secrets.md',
        /^title: ['"]?Secrets['"]?$/m,
        /harbor secret set NAME/,
        /\b100 secrets\b/,
        /encrypted/,
        /\]\([^)]*reference\/configuration[^)]*\)/,
      ),
      inOrder('sidebars.ts', "'guides/rollback'", "'guides/secrets'", "'guides/logs'"),
      onlyAdds('sidebars.ts'),
    ],
  },
  {
    name: 'docusaurus/two-versions',
    asks: 'Since Harbor 2, the agent listens on port 9090 by default. The documentation of version 2 still says 8080. Correct it there; for version 1, 8080 is right.',
    changes: [
      ...['docs/install.md', 'docs/guides/deploy.mdx', 'docs/guides/metrics.md', 'docs/reference/configuration.md'].map(
        (path) => replacesIn(path, '8080', '9090'),
      ),
      changesOnly(
        'docs/install.md',
        'docs/guides/deploy.mdx',
        'docs/guides/metrics.md',
        'docs/reference/configuration.md',
      ),
    ],
  },
  {
    name: 'docusaurus/merge-pages',
    asks: 'Merge the guides Logs and Metrics of the current version into one guide docs/guides/observe.md with the title "Observe", in their place in the sidebar. It keeps everything that both say. The old pages go away; their addresses need no redirect, but all links must lead to the right section of the new page.',
    drops: /^description: Memory, processor|^Metrics are kept for 24 hours/,
    changes: [
      removes('docs/guides/logs.md', 'docs/guides/metrics.md'),
      has(
        'docs/guides/observe.md',
        /^title: ['"]?Observe['"]?$/m,
        /harbor logs shop --follow/,
        /kept for 7 days/,
        /`logs\.drain`/,
        /http:\/\/SERVER:8080\/metrics/,
        /`harbor_memory_bytes`/,
        /`harbor_requests_total`/,
        /kept for 24 hours/,
      ),
      changesOnly(
        'docs/guides/logs.md',
        'docs/guides/metrics.md',
        'docs/guides/observe.md',
        'docs/guides/rollback.md',
        'docs/reference/cli.md',
        'docs/reference/configuration.md',
        'blog/2026-02-03-harbor-2.md',
        'sidebars.ts',
      ),
      inOrder('sidebars.ts', "'guides/rollback'", "'guides/observe'", "'reference/cli'"),
      lacks('sidebars.ts', /guides\/(?:logs|metrics)/),
      nowhere(/(?:guides|\.)\/(?:logs|metrics)(?:\.md|\)|#)/),
      has('docs/reference/cli.md', /guides\/observe\.md#[\w-]+\).*\n.*guides\/observe\.md#[\w-]+\)/),
    ],
  },
  {
    name: 'docusaurus/review',
    messages: [
      `Add exactly this at the end of docs/guides/deploy.mdx:\n\n${dryRun}`,
      {
        review: 'Thanks! Three things:',
        remarks: [
          { path: 'docs/guides/deploy.mdx', text: 'shows wether', body: 'There is a typo in this line.' },
          {
            path: 'docs/guides/deploy.mdx',
            text: 'copies nothing',
            body: 'Please also say here that the command exits with status 1 if the deploy would not work.',
          },
          {
            path: 'docs/guides/deploy.mdx',
            text: 'The releases stay',
            body: 'How many releases does Harbor keep? No need to change anything.',
          },
        ],
      },
    ],
    changes: [
      changesOnly('docs/guides/deploy.mdx'),
      onlyAdds('docs/guides/deploy.mdx'),
      has(
        'docs/guides/deploy.mdx',
        /shows whether a deploy would work/,
        /exits with (?:the )?(?:exit )?(?:status|code) (?:code )?`?1/i,
        /\n\nThe releases stay as they are\.\n?$/,
      ),
      lacks('docs/guides/deploy.mdx', /wether/),
      repliesToAll(1, 3),
      replyHas(1, 2, /\b(?:5|five)\b/),
    ],
  },
  {
    name: 'docusaurus/fix-build',
    spoil: spoilBy(
      { path: 'docs/guides/deploy.mdx', from: '  </TabItem>\n  <TabItem value="go"', to: '  <TabItem value="go"' },
      { path: 'docs/guides/rollback.md', from: 'within 30 seconds', to: 'in <30 seconds' },
    ),
    asks: 'The build fails with "MDX compilation failed" for docs/guides/deploy.mdx, and there may be more such pages. Please repair whatever keeps the documentation from building, and change nothing else.',
    changes: [
      changesOnly('docs/guides/deploy.mdx', 'docs/guides/rollback.md'),
      ({ site: sound, after }) =>
        toWords(sound.get('docs/guides/deploy.mdx')) === toWords(after.get('docs/guides/deploy.mdx'))
          ? []
          : ['docs/guides/deploy.mdx is not repaired, or changed in more than the tag that was missing'],
      has('docs/guides/rollback.md', /(?:in|within) (?:&lt;|\\<|less than |under )? ?30 seconds/),
      lacks('docs/guides/rollback.md', /(?<!\\)<30/),
    ],
  },
  {
    name: 'docusaurus/needs-shell',
    spoil: spoilBy({ path: 'docs/intro.md', from: 'without downtime', to: 'without any downtme' }),
    asks: 'Correct the typo on the start page, then run `npm run build` and tell me whether it passes.',
    checks: [
      opensPullRequest,
      changesOnly('docs/intro.md'),
      becomes('docs/intro.md', (before) => (before.get('docs/intro.md') ?? '').replace('downtme', 'downtime')),
      says(
        /\b(?:not|cannot|can't|could not|couldn't|unable|no way|never)\b[^.]*\b(?:run|ran|execute|executed|build|commands?|shell)\b|\b(?:build|command)\b[^.]*\b(?:not|cannot|can't|couldn't)\b/i,
      ),
    ],
  },
];

const toWords = (text = '') => text.split(/\s+/).join(' ');
