import { listBranches } from '../git/read-git.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { PullRequest, Repository, World } from '../state/world.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

export function renderRepositoryList(world: World): string {
  const rows = world.repositories.values().map(
    (
      repository,
    ) => html`<div class="row"><a href="/${fullNameOf(repository)}"><strong>${fullNameOf(repository)}</strong></a>
<span class="label">${repository.private ? 'Private' : 'Public'}</span>${repository.archived && html`<span class="label">Archived</span>`}
<span class="muted">· ${countOpen(repository)} open</span></div>`,
  );
  const body = html`<h1>Repositories</h1><div class="box">${rows.toArray()}</div>`;
  return layout({ title: 'Repositories', body });
}

export async function renderRepository(repository: Repository): Promise<string> {
  const name = fullNameOf(repository);
  const branches = await listBranches(repository.directory);
  const body = html`<h1>${name}</h1>
${repository.archived && html`<p class="notice">This repository was archived and is read-only.</p>`}
<h2>Pull requests</h2>
<div class="box">${
    repository.pullRequests.length === 0
      ? html`<div class="row muted">None yet.</div>`
      : repository.pullRequests.toReversed().map(
          (pullRequest) => html`<div class="row">${renderState(pullRequest)}
<a href="/${name}/pull/${pullRequest.number}"><strong>${pullRequest.title}</strong></a>
<span class="muted">#${pullRequest.number} by ${pullRequest.author.login}, comments: ${pullRequest.comments.length}</span></div>`,
        )
  }</div>
<h2>Branches</h2>
<div class="box">${branches.map(
    ({
      name: branch,
      sha,
    }) => html`<div class="row"><code>${branch}</code> <span class="muted">${sha.slice(0, 7)}</span>
${branch === repository.defaultBranch && html`<span class="label">Default</span>`}</div>`,
  )}</div>`;
  return layout({ title: name, body });
}

export function renderState({ state, draft, mergedAt }: PullRequest): Html {
  if (mergedAt) return html`<span class="badge merged">Merged</span>`;
  if (state === 'closed') return html`<span class="badge closed">Closed</span>`;
  return draft ? html`<span class="badge draft">Draft</span>` : html`<span class="badge open">Open</span>`;
}

const countOpen = ({ pullRequests }: Repository): number => pullRequests.filter(({ state }) => state === 'open').length;
