import { z } from 'zod';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { isRefusal } from '../../github/refusals/read-refusal.ts';
import { type FailedEnd, findFailedEnd, RunFailure } from '../failures.ts';
import { performOptionalEffect } from '../perform-optional-effect.ts';
import { openJobAccess, type RunAtSite } from '../prepare/open-checkout.ts';
import type { RunParts } from '../run-parts.ts';

/** Something to be done to a new pull request that is no reason for its run to fail. Doing it again does no harm. */
interface Wish {
  /** `run_…:<name>` is the effect's key. */
  name: string;
  request: object;
  act: (client: RepositoryClient) => Promise<void>;
  /** What people are told, with the reason after it. */
  refused: string;
}

interface Given extends RunAtSite {
  client: RepositoryClient;
  number: number;
}

/**
 * Puts the repository's labels on a new pull request and asks its reviewers. What GitHub refuses, a reviewer without access above all, is a
 * warning of the run and keeps nobody else from being asked.
 */
export async function addLabelsAndReviewers(parts: RunParts, given: Given): Promise<void> {
  const { labels, reviewers } = given.site.word.settings;
  const { number } = given;
  const teams = reviewers.filter((name) => name.includes('/'));
  const people = reviewers.filter((name) => !name.includes('/'));
  const wishes = [
    ...(labels.length > 0 ? [label(number, labels)] : []),
    ...(people.length > 0 ? [askPeople(number, people)] : []),
    ...teams.map((team) => askTeam(parts, given, team)),
  ];
  for (const wish of wishes) await grant(parts, given, wish);
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
    // GitHub asks none when it refuses one.
    const refused: string[] = [];
    for (const login of people) if (people.length === 1 || (await findRefusal(ask([login])))) refused.push(login);
    if (refused.length > 0) throw new RunFailure(all.code, `${refused.join(', ')}: ${all.sentence}`);
  },
  refused: 'Not everybody could be asked for a review.',
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
const askTeam = (parts: RunParts, { job, site, number, signal }: Given, team: string): Wish => ({
  name: `reviewer:${team}`,
  request: { teams: [team] },
  act: async () => {
    const [organization = '', slug = ''] = team.split('/');
    const { owner } = site.repository;
    if (organization.toLowerCase() !== owner.toLowerCase())
      throw new RunFailure('github_refused', `The repository belongs to ${owner}, which has no such team.`);
    const permissions = { pull_requests: 'write', members: 'read' } as const;
    await using access = await openJobAccess(parts, { job, permissions, signal });
    await access.client.requestReviewers(number, { users: [], teams: [slug] });
  },
  refused: `The team ${team} could not be asked for a review.`,
});

async function grant(parts: RunParts, given: Given, { name, request, act, refused }: Wish): Promise<void> {
  const { run, client, number } = given;
  await performOptionalEffect(parts, given, {
    what: refused,
    key: `${run.run_id}:${name}`,
    request,
    schema: z.object({ externalId: z.string() }),
    act: async () => {
      await act(client);
      return { externalId: String(number) };
    },
  });
}
