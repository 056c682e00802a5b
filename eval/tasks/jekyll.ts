import { opensPullRequest } from '../checks/answers.ts';
import { changesOnly, has, nowhere, removes, replacesIn } from '../checks/files.ts';
import { spoilBy, type TaskText } from './task.ts';

export const jekyllTasks: readonly TaskText[] = [
  {
    name: 'jekyll/rename-page',
    asks: 'The page "Queues" is guides/topics.md from now on, with the title and heading "Topics"; so it is called in the navigation, too. Its addresses so far keep working, but no link needs them.',
    changes: [
      removes('guides/queues.md'),
      changesOnly('guides/queues.md', 'guides/topics.md', 'guides/install.md', 'index.md', '_data/navigation.yml'),
      has('guides/topics.md', /^title: Topics$/m, /^# Topics$/m, /^ {2}- \/queues\/$/m, /^ {2}- \/guides\/queues\/?$/m),
      has('guides/install.md', /\/guides\/topics\/#dead-letters/),
      has('_data/navigation.yml', /- title: Topics\n {2}url: \/guides\/topics\//),
      nowhere(/\/guides\/queues/, { except: ['guides/topics.md'] }),
    ],
  },
  {
    name: 'jekyll/broken-already',
    spoil: spoilBy(
      { path: 'guides/install.md', from: '/guides/queues/#dead-letters', to: '/guides/dead/#letters' },
      { path: 'index.md', from: '(/guides/queues/)', to: '(/guides/que/)' },
      { path: '_data/navigation.yml', from: '/guides/install/', to: '/guides/setup/' },
    ),
    asks: 'A queue keeps a message for 14 days now. Some links of this site are broken: somebody else mends those in another pull request, so leave them.',
    checks: [
      opensPullRequest,
      changesOnly('guides/queues.md'),
      replacesIn('guides/queues.md', 'seven days', '14 days'),
    ],
  },
];
