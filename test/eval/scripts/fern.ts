import { edit, instead, publish, type TaskScript, write } from './script.ts';

const [page, navigation] = ['fern/pages/bursts.mdx', 'fern/docs.yml'];
const text = (link: string) =>
  `---\ntitle: Bursts\n---\n\nA key may send 500 requests in one second, once a minute, beside its [limits](${link}).\n`;
const calls = [
  write(page, text('/guides/limits#per-key')),
  edit(
    navigation,
    '        path: pages/limits.mdx\n',
    '        path: pages/limits.mdx\n      - page: Bursts\n        path: pages/bursts.mdx\n',
  ),
  edit(
    navigation,
    '    destination: /guides/limits\n',
    '    destination: /guides/limits\n  - source: /bursts\n    destination: /guides/bursts\n',
  ),
  publish('Describe bursts'),
];

export const fernScripts: Readonly<Record<string, TaskScript>> = {
  'fern/add-page': {
    right: [calls],
    wrong: [{ reason: /leads to no page/, runs: [instead(calls, 0, write(page, text('/limits/per-key')))] }],
  },
};
