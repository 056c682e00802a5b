import { fullNameOf } from './repositories.ts';
import type { Repository, World } from './world.ts';

const marker = /<!--\s*pagewright:.*?-->/gs;

/**
 * What must never be there twice: two pull requests that were ever opened from one head, two comments of the App that stand
 * there with one hidden marker. One line for each violation; an empty list is the proof that tests want.
 */
export const findDuplicates = (world: World): string[] =>
  world.repositories
    .values()
    .flatMap((repository) => [...findTwins(repository), ...findEchoes(repository)])
    .toArray();

function findTwins(repository: Repository): string[] {
  const byHead = Map.groupBy(repository.pullRequests, ({ headRef }) => headRef);
  return [...byHead]
    .filter(([, twins]) => twins.length > 1)
    .map(([headRef, twins]) => {
      const numbers = twins.map(({ number }) => `#${number}`).join(', ');
      return `${fullNameOf(repository)}: ${twins.length} pull requests from ${headRef} (${numbers})`;
    });
}

function findEchoes(repository: Repository): string[] {
  const marked = repository.pullRequests
    .flatMap(({ comments, reviewComments }) => [...comments, ...reviewComments])
    .filter(({ byApp }) => byApp)
    .flatMap(({ id, body }) => [...new Set(body.match(marker))].map((text) => ({ id, text })));
  return [...Map.groupBy(marked, ({ text }) => text)]
    .filter(([, echoes]) => echoes.length > 1)
    .map(([text, echoes]) => {
      const ids = echoes.map(({ id }) => id).join(', ');
      return `${fullNameOf(repository)}: ${echoes.length} comments with ${text} (${ids})`;
    });
}
