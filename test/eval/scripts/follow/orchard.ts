import { edit, type TaskScript } from '../script.ts';
import { documents, leavesAlone } from './follow.ts';

const [from, to] = ['| `ttlSeconds` | 300 | how long', '| `ttlSeconds` | 600 | how long'];

export const orchardScripts: Readonly<Record<string, TaskScript>> = {
  'orchard/one-package': documents([['docs/server.md', from, to, 'packages/server/src/options.ts']], {
    extra: edit('docs/client.md', from, to),
  }),
  'orchard/release-script': leavesAlone(
    'the order in which packages are published does not matter to users.',
    edit('docs/index.md', 'two parts', 'two parts, the client first'),
  ),
};
