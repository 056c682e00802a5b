import { payloadFields } from '../support/values/payload-fields.ts';
import type { Entry } from './create-parts.ts';
import { ourLogin } from './create-parts.ts';
import type { LiveJob, Told } from './live-job.ts';
import { accept, apply, type Model, type PullRequestEvent, stop } from './model.ts';

export const words = {
  ask: 'Say it more simply, please.',
  aside: 'Aside: I would have said that differently.',
  stop: '@pagewright-test stop',
};

export const trusted = ['rita', 'max'];

/** Works an entry of the queue off, and does to the model what it means. */
export async function workOff(model: Model, live: LiveJob, entry: Entry): Promise<void> {
  const isDone = await live.work(entry);
  if (!isDone || entry.kind === 'answer' || model.heard.has(entry.deliveryId)) return;
  const delivery = live.findDelivery(entry.deliveryId);
  if (!delivery) throw new Error(`nobody sent ${entry.deliveryId}`);
  model.heard.add(entry.deliveryId);
  if (delivery.name === 'pull_request') apply(model, eventOf(delivery), stateOf(live));
  else hearWords(model, live, delivery);
}

function eventOf({ payload }: Told): PullRequestEvent {
  const { action = '', pull_request: told, sender } = payloadFields.parse(payload);
  if (!told) throw new Error('it is about no pull request');
  const { state, merged, updated_at } = told;
  return { action, state, merged, byUs: sender?.login === ourLogin, updatedAt: Date.parse(updated_at) };
}

function stateOf(live: LiveJob): PullRequestEvent {
  const found = live.pullRequest();
  if (!found) throw new Error('there is no pull request');
  const { state, mergedAt, closedBy, updatedAt } = found;
  const byUs = closedBy?.login === ourLogin;
  return { action: '', state, merged: mergedAt !== null, byUs, updatedAt: Date.parse(updatedAt) };
}

function hearWords(model: Model, live: LiveJob, { payload }: Told): void {
  const said = findWords(live, payload);
  if (!said || !trusted.includes(said.login)) return;
  const { key, at, texts } = said;
  if (texts.includes(words.stop)) {
    if (model.stoppedAt >= at) return;
    model.stoppedAt = at;
    stop(model, at);
  } else if (texts.includes(words.ask) && model.stoppedAt <= at) accept(model, key, at);
}

function findWords(live: LiveJob, payload: object) {
  const { comments = [], reviews = [], reviewComments = [] } = live.pullRequest() ?? {};
  const { comment, review } = payloadFields.parse(payload);
  const reviewId = review?.id ?? comment?.pull_request_review_id;
  const whole = reviews.find(({ id }) => id === reviewId);
  if (whole) {
    const remarks = reviewComments.filter((remark) => remark.reviewId === whole.id);
    const texts = [whole.body, ...remarks.map(({ body }) => body)];
    return { key: `review:${whole.id}`, at: Date.parse(whole.submittedAt), texts, login: whole.author.login };
  }
  const single = comments.find(({ id }) => id === comment?.id);
  if (!single || live.relayed.has(single.id)) return undefined;
  const { id, createdAt, body, author } = single;
  return { key: `comment:${id}`, at: Date.parse(createdAt), texts: [body], login: author.login };
}
