import { askGitHub } from '../../../projects/ask-github.ts';
import { realTiming } from '../../../timing.ts';
import { HttpProblem, retryLater } from '../../problem.ts';
import type { Call } from './project-route.ts';
import { repositoryGone } from './refusal.ts';

/** Asks GitHub while the caller waits. Throws a `Problem` if GitHub does not answer in time, or refuses. */
export async function fetchInTime<Result>(
  { left }: Call,
  fetch: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.any([left, AbortSignal.timeout(realTiming.http.githubMs)]);
  const asked = await askGitHub(() => fetch(signal));
  switch (asked.kind) {
    case 'answered':
      return asked.result;
    case 'project_gone':
      throw repositoryGone();
    case 'refused':
      throw new HttpProblem('github-refused', asked.message);
    case 'unavailable':
      throw unavailable();
  }
}

const unavailable = () =>
  new HttpProblem('unavailable', 'GitHub does not answer requests of Pagewright now. Try again in a few seconds.', {
    headers: retryLater,
  });
