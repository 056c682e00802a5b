import { diffCommits } from '../git/diff-commits.ts';
import { findCommit, readCommits } from '../git/read-git.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { Repository } from '../state/world.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { renderFileChange } from './render-file-change.ts';

/** Git's empty tree, which a commit without a parent is compared with. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A commit's message, author and diff. Undefined when the repository has no such commit. */
export async function renderCommit(repository: Repository, sha: string): Promise<string | undefined> {
  const { directory } = repository;
  if (!/^[0-9a-f]{7,40}$/.test(sha) || (await findCommit(directory, sha)) === undefined) return undefined;
  const [commit] = await readCommits(directory, ['-1', sha]);
  if (commit === undefined) return undefined;
  const files = await diffCommits(directory, commit.parents[0] ?? emptyTree, commit.sha);
  const [subject = '', ...rest] = commit.message.split('\n');
  const more = rest.join('\n').trim();
  const name = fullNameOf(repository);
  const body = html`
<p class="muted"><a href="/${name}">${name}</a></p>
<h1>${subject}</h1>
${more !== '' && html`<pre>${more}</pre>`}
<p><strong>${commit.author.name}</strong> <span class="muted">${commit.author.date}</span> <code>${commit.sha}</code></p>
<h2>Files changed</h2>
${files.map(renderFileChange)}`;
  return layout({ title: `${subject} · ${name}@${commit.sha.slice(0, 7)}`, body });
}
