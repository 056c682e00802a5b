import { plain } from '../frameworks/plain.ts';
import { folderOf } from '../tree.ts';
import type { Site } from './open-sites.ts';

/** Pages of the repository on GitHub, which shows files at `/owner/repo/blob/branch/`; one folder up is another branch, three another repository. */
export function isGithubRoute({ framework }: Site, from: string, address: string): boolean {
  if (framework !== plain) return false;
  const names = [...folderOf(from).split('/'), ...address.split('/')].filter((name) => name !== '' && name !== '.');
  let [depth, least] = [0, 0];
  for (const name of names) {
    depth += name === '..' ? -1 : 1;
    least = Math.min(least, depth);
  }
  return least === -1 || least < -2 || (least === -2 && githubRoutes.has(names.at(names.lastIndexOf('..') + 1) ?? ''));
}

const githubRoutes = new Set(
  'actions blob branches commit commits compare deployments discussions edit forks graphs issues labels milestone milestones network new packages projects pull pulls pulse raw releases search security settings stargazers tags tree wiki'.split(
    ' ',
  ),
);
