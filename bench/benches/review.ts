import { eventually } from '../../harness/eventually.ts';
import { describeDuration, type Figure } from '../figures/figure.ts';
import { openWorld } from '../world/open-world.ts';
import { firstThen, leaveIt, writeFile } from '../world/scripts.ts';

const remarks = 30;
const eyesRoute = 'POST /repos/:owner/:repo/pulls/comments/:comment_id/reactions';
const repliesRoute = 'POST /repos/:owner/:repo/pulls/:number/comments/:comment_id/replies';

/** A review of many remarks: one run, and the time until the last remark is answered. The service waits 3 s for a review to be whole. */
export async function benchReview(): Promise<Figure[]> {
  const page = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}.\n`).join('');
  const script = firstThen(writeFile('page.md', page), leaveIt);
  await using world = await openWorld({ script, files: { 'index.md': '# Acme\n' } });
  const { github, repository, rita } = world;
  const { jobId } = await world.untilSettled(await world.createJob('Write the page.'));

  const comments = Array.from({ length: remarks }, (_, index) => ({
    path: 'page.md',
    line: index + 1,
    body: `Say line ${index + 1} in other words.`,
  }));
  const countDone = (route: string) =>
    github.requests.filter((request) => request.route === route && request.done).length;
  const until = (count: number, route: string) =>
    eventually(() => (countDone(route) >= count ? performance.now() : undefined), { everyMs: 5 });
  const submittedAt = performance.now();
  await rita.review(repository.fullName, 1, { body: 'Some remarks.', comments });
  const [firstSeenAt, seenAt, answeredAt] = await Promise.all([
    until(1, eyesRoute),
    until(remarks, eyesRoute),
    until(remarks, repliesRoute),
  ]);
  await world.untilSettled(jobId);
  const runs = (await world.readRuns(jobId)).length - 1;
  return [
    { what: `runs for a review of ${remarks} remarks`, measured: String(runs), goal: { text: '1', isMet: runs === 1 } },
    describeDuration('review to its first eyes', firstSeenAt - submittedAt, { goalMs: 1_000 }),
    describeDuration('review to its last eyes', seenAt - submittedAt),
    describeDuration('review to its last reply', answeredAt - submittedAt),
  ];
}
