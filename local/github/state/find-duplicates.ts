import { fullNameOf } from './repositories.ts';
import type { PullRequest, Reaction, Repository, World } from './world.ts';

const marker = /<!--\s*pagewright:.*?-->/gs;

/**
 * Lists duplicates, one line each: pull requests ever opened from one head, the App's comments with one hidden marker in a
 * conversation or thread, and the App's reactions to one comment.
 */
export const findDuplicates = (world: World): string[] =>
  world.repositories
    .values()
    .flatMap((repository) =>
      [
        ...findTwins(repository),
        ...findEchoes(repository),
        ...repository.pullRequests.flatMap((pullRequest) => findDoubleReactions(world, pullRequest)),
      ].map((line) => `${fullNameOf(repository)}: ${line}`),
    )
    .toArray();

function findTwins(repository: Repository): string[] {
  const byHead = Map.groupBy(repository.pullRequests, ({ headRef }) => headRef);
  return [...byHead]
    .filter(([, twins]) => twins.length > 1)
    .map(([headRef, twins]) => {
      const numbers = twins.map(({ number }) => `#${number}`).join(', ');
      return `${twins.length} pull requests from ${headRef} (${numbers})`;
    });
}

function findEchoes({ pullRequests }: Repository): string[] {
  const comments = pullRequests.flatMap(({ comments: all }) => all.map((comment) => ({ ...comment, thread: 0 })));
  const replies = pullRequests.flatMap(({ reviewComments }) =>
    reviewComments.map((comment) => ({ ...comment, thread: comment.inReplyToId ?? comment.id })),
  );
  const marked = [...comments, ...replies]
    .filter(({ byApp }) => byApp)
    .flatMap(({ id, body, thread }) => [...new Set(body.match(marker))].map((text) => ({ id, text, thread })));
  return [...Map.groupBy(marked, ({ text, thread }) => `${thread} ${text}`).values()]
    .filter((echoes) => echoes.length > 1)
    .map((echoes) => {
      const ids = echoes.map(({ id }) => id).join(', ');
      const where = echoes[0]?.thread ? `replies in thread ${echoes[0].thread}` : 'comments';
      return `${echoes.length} ${where} with ${echoes[0]?.text} (${ids})`;
    });
}

function findDoubleReactions({ app }: World, pullRequest: PullRequest): string[] {
  const { number, reactions, comments, reviewComments } = pullRequest;
  const targets: { name: string; reactions: Reaction[] }[] = [
    { name: `#${number}`, reactions },
    ...[...comments, ...reviewComments].map((comment) => ({
      name: `comment ${comment.id}`,
      reactions: comment.reactions,
    })),
  ];
  return targets.flatMap((target) => {
    const own = target.reactions.filter(({ author }) => author.id === app?.bot.id);
    const contents = own.map(({ content }) => content).join(', ');
    return own.length > 1 ? [`${own.length} reactions to ${target.name} (${contents})`] : [];
  });
}
