import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import type { LoggedRequest } from '../../local/github/api/request-log.ts';
import type { Figure } from '../figures/figure.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import { perRunWriting } from '../world/scripts.ts';

const maxFollowUpCalls = 5;
/** How long the service must make no call before its start-up work counts as done. */
const startRoutes = ['GET /app/hook/deliveries', 'GET /repos/:owner/:repo/contents{/*path}'];
const quietMs = 300;

/** How many calls of GitHub's REST and GraphQL API a first run, a follow-up and a comment cost. Git's requests do not count. */
export async function benchCalls(): Promise<Figure[]> {
  await using world = await openWorld({ script: perRunWriting, files: { 'index.md': '# Acme\n' } });
  const { repository, rita } = world;
  // Calls that a process makes once, at its start.
  await world.untilSettled(await world.createJob('Write a page.'));
  await untilSettledIn(world);
  let jobId = '';
  const first = await recordCalls(world, async () => {
    jobId = await world.createJob('Write a page.');
    await world.untilSettled(jobId);
  });
  const followUp = await recordCalls(world, async () => {
    await world.sendMessage(jobId, 'Write another page.');
    await world.untilSettled(jobId);
  });
  const comment = await recordCalls(world, async () => {
    rita.comment(repository.fullName, 2, 'Write a third page.');
    await eventually(async () => ((await world.readRuns(jobId)).at(2)?.status === 'ended' ? true : undefined));
  });
  return [
    ...describeCalls('first run', first),
    ...describeCalls('follow-up', followUp, maxFollowUpCalls),
    ...describeCalls('follow-up by a comment, with its reaction', comment),
  ];
}

async function untilSettledIn({ github }: BenchWorld): Promise<void> {
  for (const route of startRoutes) await eventually(() => github.requests.find((request) => request.route === route));
  for (let count = -1; count !== github.requests.length; await delay(quietMs)) count = github.requests.length;
}

/** Includes the calls of replies that are still being posted. */
async function recordCalls({ github }: BenchWorld, work: () => Promise<unknown>): Promise<LoggedRequest[]> {
  const before = github.requests.length;
  await work();
  // The run revokes its write token last.
  await eventually(() => {
    const calls = github.requests.slice(before);
    const minted = calls.filter(isWritingToken).length;
    return calls.filter(({ route }) => route === 'DELETE /installation/token').length >= minted ? true : undefined;
  });
  return github.requests.slice(before).filter(({ api }) => api !== 'git');
}

const isWritingToken = ({ route, body }: LoggedRequest) =>
  route.endsWith('/access_tokens') && JSON.stringify(body).includes('"write"');

function describeCalls(what: string, calls: readonly LoggedRequest[], atMost?: number): Figure[] {
  const spoken = calls.filter(({ route }) => /^POST .*\/(reactions|replies|comments)$/.test(route)).length;
  const others = calls.length - spoken;
  const total: Figure = { what, measured: `${others}, and ${spoken} to answer` };
  if (atMost !== undefined) total.goal = { text: `≤ ${atMost} beside answers`, isMet: others <= atMost };
  const counts = Map.groupBy(calls, ({ route }) => route);
  const parts = [...counts].map(([route, { length }]) => ({ what: `  ${route}`, measured: String(length) }));
  return [total, ...parts];
}
