import { z } from 'zod';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { isRefusal } from '../../github/refusals/read-refusal.ts';
import { authorReviewer } from '../../repository/automation-shapes.ts';
import { listMessagesOfRun } from '../../store/tables/jobs/messages.ts';
import { type FailedEnd, findFailedEnd, RunFailure } from '../failures.ts';
import { openJobAccess } from '../prepare/job-access.ts';
import type { CheckedOutRun, RunContext } from '../run-context.ts';

const doneSchema = z.object({ externalId: z.string() });

/** A change of a pull request. Doing it twice does no harm. */
interface OptionalChange {
  /** `run_…:<name>` is the effect's key. */
  name: string;
  request: object;
  act: (client: RepositoryClient) => Promise<void>;
  /** Begins the warning about a refusal. */
  refused: string;
}

/**
 * On a new pull request, what the settings say; on every one, the people who wrote what its automation documents. A refusal, for example of a
 * reviewer without access, becomes a warning. The other reviewers are still requested.
 */
export async function addLabelsAndReviewers(
  context: CheckedOutRun,
  client: RepositoryClient,
  { number, isNew }: { number: number; isNew: boolean },
): Promise<void> {
  const { job, checkout } = context;
  const { labels, reviewers, automations } = checkout.guidance.settings;
  const ofAutomation = (job.automation === null ? undefined : automations[job.automation])?.reviewers ?? [];
  const wanted = [...new Set([...reviewers, ...ofAutomation.filter((name) => name !== authorReviewer)])];
  const teams = wanted.filter((name) => name.includes('/'));
  const people = wanted.filter((name) => !name.includes('/'));
  const authors = ofAutomation.includes(authorReviewer) ? await listAuthors(context, people) : [];
  const ofSettings = [
    ...(labels.length > 0 ? [addLabels(number, labels)] : []),
    ...(people.length > 0 ? [requestPeople(number, people)] : []),
    ...teams.map((team) => requestTeam(context, number, team)),
  ];
  const changes = [...(isNew ? ofSettings : []), ...(authors.length > 0 ? [requestAuthors(number, authors)] : [])];
  for (const change of changes) await makeOptionalChange(context, client, number, change);
}

export async function makeOptionalChange(
  { run, effects }: RunContext,
  client: RepositoryClient,
  number: number,
  { name, request, act, refused }: OptionalChange,
): Promise<void> {
  const key = `${run.run_id}:${name}`;
  const actOnce = () => act(client).then(() => ({ externalId: String(number) }));
  await effects.performOptional({ key, request, schema: doneSchema, act: actOnce }, refused);
}

/** People, once each, who wrote the pull requests that triggered this run. */
async function listAuthors({ parts, run }: CheckedOutRun, people: readonly string[]): Promise<string[]> {
  const messages = await listMessagesOfRun(parts.database, run.run_id);
  const authors = messages.flatMap(({ context }) => (context?.occasions ?? []).flatMap(({ author }) => author ?? []));
  const logins = new Set(authors.filter(({ isBot }) => !isBot).map(({ login }) => login));
  return [...logins].filter((login) => !people.includes(login)).slice(0, maxAuthors);
}

const maxAuthors = 15;

/** Authors without access are left out: nobody named them. */
const requestAuthors = (number: number, authors: string[]): OptionalChange => ({
  name: 'authors',
  request: { users: authors },
  async act(client) {
    for (const login of authors) await findRefusal(client.requestReviewers(number, { users: [login], teams: [] }));
  },
  refused: 'The authors could not be requested as reviewers.',
});

const addLabels = (number: number, labels: string[]): OptionalChange => ({
  name: 'labels',
  request: { labels },
  act: (client) => client.addLabels(number, labels),
  refused: 'The labels from the settings could not be added.',
});

const requestPeople = (number: number, people: string[]): OptionalChange => ({
  name: 'reviewers',
  request: { users: people },
  async act(client) {
    const request = (users: string[]) => client.requestReviewers(number, { users, teams: [] });
    const all = await findRefusal(request(people));
    if (!all) return;
    // GitHub requests nobody when it refuses one.
    const refused: string[] = [];
    for (const login of people) if (people.length === 1 || (await findRefusal(request([login])))) refused.push(login);
    if (refused.length > 0) throw new RunFailure(all.code, `${refused.join(', ')}: ${all.sentence}`);
  },
  refused: 'Some reviewers could not be requested.',
});

async function findRefusal(request: Promise<void>): Promise<FailedEnd | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    const refusal = isRefusal(error) ? findFailedEnd(error) : undefined;
    if (refusal) return refusal;
    throw error;
  }
}

/** Only an App that may read teams can request one: https://github.com/peter-evans/create-pull-request/blob/main/docs/concepts-guidelines.md */
const requestTeam = (context: CheckedOutRun, number: number, team: string): OptionalChange => ({
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
