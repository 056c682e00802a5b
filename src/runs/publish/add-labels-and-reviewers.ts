import { z } from 'zod';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { isRefusal } from '../../github/refusals/read-refusal.ts';
import { type FailedEnd, findFailedEnd, RunFailure } from '../failures.ts';
import { openJobAccess } from '../prepare/job-access.ts';
import type { CheckedOutRun } from '../run-context.ts';

const doneSchema = z.object({ externalId: z.string() });

/** An optional change to a new pull request. Doing it twice does no harm. */
interface Wish {
  /** `run_…:<name>` is the effect's key. */
  name: string;
  request: object;
  act: (client: RepositoryClient) => Promise<void>;
  /** Begins the warning about a refusal. */
  refused: string;
}

/**
 * Adds the repository's labels to a new pull request and requests its reviewers. A refusal, for example of a reviewer without access, becomes
 * a warning of the run and keeps nobody else from being requested.
 */
export async function addLabelsAndReviewers(
  context: CheckedOutRun,
  client: RepositoryClient,
  number: number,
): Promise<void> {
  const { run, checkout, effects } = context;
  const { labels, reviewers } = checkout.guidance.settings;
  const teams = reviewers.filter((name) => name.includes('/'));
  const people = reviewers.filter((name) => !name.includes('/'));
  const wishes = [
    ...(labels.length > 0 ? [label(number, labels)] : []),
    ...(people.length > 0 ? [askPeople(number, people)] : []),
    ...teams.map((team) => askTeam(context, number, team)),
  ];
  for (const { name, request, act, refused } of wishes) {
    const key = `${run.run_id}:${name}`;
    const actOnce = () => act(client).then(() => ({ externalId: String(number) }));
    await effects.performOptional({ key, request, schema: doneSchema, act: actOnce }, refused);
  }
}

const label = (number: number, labels: string[]): Wish => ({
  name: 'labels',
  request: { labels },
  act: (client) => client.addLabels(number, labels),
  refused: 'The labels of the settings could not be added.',
});

const askPeople = (number: number, people: string[]): Wish => ({
  name: 'reviewers',
  request: { users: people },
  async act(client) {
    const ask = (users: string[]) => client.requestReviewers(number, { users, teams: [] });
    const all = await findRefusal(ask(people));
    if (!all) return;
    // GitHub requests nobody when it refuses one.
    const refused: string[] = [];
    for (const login of people) if (people.length === 1 || (await findRefusal(ask([login])))) refused.push(login);
    if (refused.length > 0) throw new RunFailure(all.code, `${refused.join(', ')}: ${all.sentence}`);
  },
  refused: 'Some reviewers could not be requested.',
});

async function findRefusal(asked: Promise<void>): Promise<FailedEnd | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    const refusal = isRefusal(error) ? findFailedEnd(error) : undefined;
    if (refusal) return refusal;
    throw error;
  }
}

/** Only an App that may see teams can ask one: https://github.com/peter-evans/create-pull-request/blob/main/docs/concepts-guidelines.md */
const askTeam = (context: CheckedOutRun, number: number, team: string): Wish => ({
  name: `reviewer:${team}`,
  request: { teams: [team] },
  act: async () => {
    const [organization = '', slug = ''] = team.split('/');
    const { owner } = context.checkout.repository;
    if (organization.toLowerCase() !== owner.toLowerCase())
      throw new RunFailure('github_refused', `The repository belongs to ${owner}, which has no such team.`);
    const permissions = { pull_requests: 'write', members: 'read' } as const;
    await using access = await openJobAccess(context, permissions);
    await access.client.requestReviewers(number, { users: [], teams: [slug] });
  },
  refused: `The team ${team} could not be requested as a reviewer.`,
});
