import type { FileChange } from '../git/diff-commits.ts';
import type { Account } from '../state/account.ts';
import { fullNameOf, isAtLeast, roleOf } from '../state/repositories.ts';
import type { PullRequest, Repository } from '../state/world.ts';
import { type Html, html } from './html.ts';

/** Who may press the buttons of a repository's pull requests. */
export const findWriters = (repository: Repository): Account[] =>
  repository.world.accounts
    .values()
    .filter((account) => account.type === 'User' && isAtLeast(roleOf(repository, account), 'write'))
    .toArray();

/** The forms below a pull request: comment, comment on a line, merge or close. */
export function renderForms(pullRequest: PullRequest, files: FileChange[]): Html {
  const people = findWriters(pullRequest.repository);
  if (people.length === 0) return html``;
  const isOpen = pullRequest.state === 'open';
  const action = `/${fullNameOf(pullRequest.repository)}/pull/${pullRequest.number}`;
  const as = html`<p>As <select name="as" aria-label="As">${people.map(({ login }) => html`<option>${login}</option>`)}</select></p>`;
  return html`
<form method="post" action="${action}">
${as}
<textarea name="body" placeholder="Leave a comment" aria-label="Comment"></textarea>
<p><button name="action" value="comment">Comment</button> <button name="action" value="approve">Approve</button>
${isOpen && html`<button class="primary" name="action" value="merge">Merge pull request</button> <button name="action" value="close">Close</button>`}
${!isOpen && !pullRequest.mergedAt && html`<button name="action" value="reopen">Reopen</button>`}</p>
</form>
<h2>Comment on a line</h2>
<form method="post" action="${action}">
${as}
<p><select name="path" aria-label="File">${files.map(({ path }) => html`<option>${path}</option>`)}</select>
line <input name="line" type="number" min="1" aria-label="Line" required></p>
<textarea name="body" aria-label="Review comment" required></textarea>
<p><button name="action" value="review">Submit review</button></p>
</form>`;
}
