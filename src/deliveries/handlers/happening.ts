import { type Happening, noteHappening } from '../../automations/note-happening.ts';
import { type Apply, type DeliveryContext, type EventHandler, ignoredBecause } from '../delivery-context.ts';
import { describeLabeled, describeMerge, describeRelease } from '../describe-happening.ts';
import { isMergedIntoDefault } from '../is-happening.ts';
import { pullRequestChanged } from './pull-request.ts';

/** A merge may end a job, trigger automations, or both. */
export const pullRequestClosed: EventHandler = async (context) => {
  const changed = await pullRequestChanged(context);
  const { fields, github, receivedAt, signal } = context;
  const { repository, pull_request: pullRequest } = fields;
  if (!repository || !pullRequest || !isMergedIntoDefault(fields) || changed instanceof Date) return changed;
  const { number, user, merged_at: mergedAt } = pullRequest;
  const happening = describeMerge({
    ...placeOf(repository),
    number,
    author: user ? { login: user.login, isBot: user.type === 'Bot' } : null,
    mergedAt: mergedAt ? new Date(mergedAt) : receivedAt,
    botLogin: await github.fetchBotLogin(signal),
  });
  return async (store) => {
    const outcome = typeof changed === 'function' ? await changed(store) : changed;
    return (await noteHappening(store, happening)) > 0 ? undefined : outcome;
  };
};

export const releasePublished: EventHandler = async ({ fields, receivedAt }) => {
  const { repository, release } = fields;
  if (!repository || !release) return 'the delivery has no release';
  const { id: releaseId, author, published_at: published } = release;
  const publishedAt = published ? new Date(published) : receivedAt;
  return note(describeRelease({ ...placeOf(repository), releaseId, isByBot: author?.type === 'Bot', publishedAt }));
};

/** Only a label that somebody with write access to the issue's repository puts on it. */
export const issueLabeled: EventHandler = async (context) => {
  const { fields, receivedAt, signal } = context;
  const { repository, issue, label, sender } = fields;
  if (!repository || !issue || !label || !sender) return 'the delivery has no label';
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  const person = { login: sender.login, userId: sender.id };
  if (!(await context.mayPrompt({ project, person, signal }))) return ignoredBecause.noWriteAccess;
  const { number, updated_at: updatedAt } = issue;
  const labeledAt = updatedAt ? new Date(updatedAt) : receivedAt;
  return note(describeLabeled({ ...placeOf(repository), number, label: label.name, labeledAt }));
};

const note =
  (happening: Happening): Apply =>
  async (store) =>
    (await noteHappening(store, happening)) > 0 ? undefined : 'it triggers no automation, or was noted before';

const placeOf = ({ id, owner, name }: NonNullable<DeliveryContext['fields']['repository']>) => ({
  repositoryId: id,
  repository: owner ? `${owner.login}/${name}` : undefined,
});
