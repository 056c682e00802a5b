import { diffCommits } from '../git/diff-commits.ts';
import { findMergeBase, readCommits } from '../git/read-git.ts';
import { fullNameOf } from '../repositories.ts';
import type { Account, PullRequest, Repository, World } from '../world.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { renderFileChange } from './render-file-change.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderState } from './repository-pages.ts';

/** A pull request as a person reads it; `notice` says why the last form did not work. */
export async function renderPullRequest(
  world: World,
  repository: Repository,
  pullRequest: PullRequest,
  notice?: string,
): Promise<string> {
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
${renderForms(world, repository, pullRequest)}`;
  return layout({ title: `${title} · Pull request #${number} · ${fullNameOf(repository)}`, body });
}

function renderConversation({ comments, reviews, reviewComments }: PullRequest): Html {
  const said = [
    ...comments.map(({ id, author, createdAt, body }) => ({ id, author, at: createdAt, body, where: undefined })),
    ...reviews
      .filter(({ body }) => body !== '')
      .map(({ id, author, submittedAt, body }) => ({ id, author, at: submittedAt, body, where: 'review' })),
    ...reviewComments.map(({ id, author, createdAt, body, path, line }) => ({
      id,
      author,
      at: createdAt,
      body,
      where: line === null ? path : `${path}:${line}`,
    })),
  ].sort((left, right) => left.id - right.id);
  if (said.length === 0) return html`<p class="muted">Nobody said anything yet.</p>`;
  return html`${said.map(({ author, at, body, where }) => renderSaid(author, at, body, where))}`;
}

const renderSaid = (author: Account, at: string, body: string, where?: string): Html => html`
<div class="box"><div class="head"><strong>${author.login}</strong>${author.type === 'Bot' && html`<span class="label">bot</span>`}
<span class="muted">${where && html`on <code>${where}</code>, `}${at}</span></div><div class="text">${renderMarkdown(body)}</div></div>`;

function renderForms(world: World, repository: Repository, pullRequest: PullRequest): Html {
  const people = world.accounts
    .values()
    .filter(({ type }) => type === 'User')
    .toArray();
  if (people.length === 0) return html``;
  const isOpen = pullRequest.state === 'open';
  return html`
<form method="post" action="/${fullNameOf(repository)}/pull/${pullRequest.number}">
<p>As <select name="as">${people.map(({ login }) => html`<option>${login}</option>`)}</select></p>
<textarea name="body" placeholder="Leave a comment" aria-label="Comment"></textarea>
<p><button name="action" value="comment">Comment</button>
${isOpen && html`<button class="primary" name="action" value="merge">Merge pull request</button> <button name="action" value="close">Close</button>`}
${!isOpen && !pullRequest.mergedAt && html`<button name="action" value="reopen">Reopen</button>`}</p>
</form>`;
}
