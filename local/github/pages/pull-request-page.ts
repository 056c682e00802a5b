import { diffCommits } from '../git/diff-commits.ts';
import { findMergeBase, readCommits } from '../git/read-git.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { PullRequest } from '../state/world.ts';
import { renderConversation, renderSaid } from './conversation.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { renderForms } from './pull-request-forms.ts';
import { renderFileChange } from './render-file-change.ts';
import { renderState } from './repository-pages.ts';

/** `notice` says why the last form failed. */
export async function renderPullRequest(pullRequest: PullRequest, notice?: string): Promise<string> {
  const { repository } = pullRequest;
  const { directory } = repository;
  const { headSha, baseSha, headRef, baseRef, number, title } = pullRequest;
  const base = (await findMergeBase(directory, baseSha, headSha)) ?? baseSha;
  const [commits, files] = await Promise.all([
    readCommits(directory, [`${base}..${headSha}`]),
    diffCommits(directory, base, headSha),
  ]);
  const body = html`
<p class="muted"><a href="/${fullNameOf(repository)}">${fullNameOf(repository)}</a></p>
<h1>${title} <span class="muted">#${number}</span></h1>
<p>${renderState(pullRequest)} <strong>${pullRequest.author.login}</strong> wants to merge <code>${headRef}</code> into <code>${baseRef}</code>
${pullRequest.labels.map(({ name }) => html`<span class="label">${name}</span>`)}</p>
${notice && html`<p class="notice">${notice}</p>`}
${renderSaid(pullRequest.author, pullRequest.createdAt, pullRequest.body ?? 'No description.')}
<h2>Commits</h2>
<div class="box">${commits.map(
    ({
      sha,
      message,
      author,
    }) => html`<div class="row"><a href="/${fullNameOf(repository)}/commit/${sha}"><code>${sha.slice(0, 7)}</code></a> ${message.split('\n')[0]}
<span class="muted">${author.name}</span></div>`,
  )}</div>
<h2>Files changed</h2>
${files.map(renderFileChange)}
<h2>Conversation</h2>
${renderConversation(pullRequest)}
${renderForms(pullRequest, files)}`;
  return layout({ title: `${title} · Pull request #${number} · ${fullNameOf(repository)}`, body });
}
