import { findNamedChanges } from '../context/changes/find-named-changes.ts';
import { isProse } from '../docs/page-extensions.ts';
import { openAccess } from '../github/auth/open-access.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import { compileGlob } from '../glob.ts';
import type { Automation } from '../repository/automation-shapes.ts';
import type { OccasionRow } from '../store/tables/automations/occasions.ts';
import type { FoundChange, NamedPullRequest, OccasionSubject } from '../store/tables/columns.ts';
import type { Project } from '../store/tables/repositories/projects.ts';
import { bound } from '../text/bound.ts';
import { stripHiddenInThread } from '../text/read-in-thread.ts';
import { storable } from '../text/storable.ts';
import type { AutomationParts } from './automation-parts.ts';
import { findSource, type TriggeringRepository } from './find-source.ts';
import { passedBecause as reasons } from './note-happening.ts';

/** What was found of an occasion that waits. */
export interface JudgedOccasion {
  key: string;
  subject: OccasionSubject;
  /** undefined: it is taken up. */
  passedBecause?: string | undefined;
  /** The pull request, for the agent. */
  change?: NamedPullRequest;
  /** Its repository no longer lets it trigger anything. */
  isClosed?: boolean;
}

interface Asked {
  project: Project;
  setting: Automation;
  signal: AbortSignal;
}

/** Asks GitHub about occasions that wait, if both sides still agree. Throws where GitHub does not answer, or limits requests. */
export async function judgeOccasions(
  parts: AutomationParts,
  occasions: readonly OccasionRow[],
  asked: Asked,
): Promise<JudgedOccasion[]> {
  const sources = new Map<number, TriggeringRepository>();
  const judged: JudgedOccasion[] = [];
  for (const { key, subject } of occasions) {
    const { repositoryId } = subject;
    if (repositoryId === undefined) {
      judged.push({ key, subject });
      continue;
    }
    const { project, signal } = asked;
    const source = sources.get(repositoryId) ?? (await findSource(parts, { project, repositoryId }, signal));
    sources.set(repositoryId, source);
    if (source.kind === 'closed') judged.push({ key, subject, passedBecause: source.problem, isClosed: true });
    else judged.push(await judge(parts, { key, subject, source }, asked));
  }
  return judged;
}

type Ready = Extract<TriggeringRepository, { kind: 'ready' }>;

async function judge(
  parts: AutomationParts,
  { key, subject, source }: { key: string; subject: OccasionSubject; source: Ready },
  asked: Asked,
): Promise<JudgedOccasion> {
  const placed = { ...subject, repository: source.repository.fullName };
  if (subject.kind === 'pull_request') return judgePullRequest(parts, { key, subject: placed, source }, asked);
  const found = await describe(parts, { subject: placed, source }, asked.signal);
  return typeof found === 'string' ? { key, subject: placed, passedBecause: found } : { key, subject: found };
}

async function judgePullRequest(
  parts: AutomationParts,
  { key, subject, source }: { key: string; subject: OccasionSubject; source: Ready },
  { project, setting, signal }: Asked,
): Promise<JudgedOccasion> {
  const { installationId, repository } = source;
  const change = await parts.changes.readFrom({ installationId, ...repository }, subject.number ?? 0, signal);
  if (change.kind !== 'found') return { key, subject, passedBecause: change.problem };
  const botLogin = await parts.github.fetchBotLogin(signal);
  const documentedBy = await findDocumenting(parts, { project, change }, signal);
  const passedBecause = judgeChange(change, { setting, botLogin, documentedBy });
  return { key, subject: describeChange(change), passedBecause, change };
}

/** Why a merged pull request is passed over; undefined: it is taken up. */
function judgeChange(
  change: FoundChange,
  options: {
    setting: Automation;
    botLogin: string;
    /** A pull request of the documentation that its body links to; null: none. */
    documentedBy: string | null;
  },
): string | undefined {
  const { setting, botLogin, documentedBy } = options;
  if (change.author === botLogin) return reasons.ours;
  if (change.isByBot && !setting.bots) return reasons.bot;
  if (documentedBy !== null) return `It links to ${documentedBy}, which documents it.`;
  if (setting.on.paths !== undefined && !touches(change, setting.on.paths))
    return 'It changed no file that `paths` names.';
  return undefined;
}

/** GitHub lists only so many files: one beyond them may be a match. */
function touches({ files, more }: FoundChange, globs: readonly string[]): boolean {
  if (more > 0) return true;
  const tests = globs.flatMap((glob) => compileGlob(glob) ?? []);
  const paths = files.flatMap(({ path, previousPath }) => [path, ...(previousPath === null ? [] : [previousPath])]);
  return paths.some((path) => tests.some((test) => test(path)));
}

export function describeChange(change: FoundChange): OccasionSubject {
  const { reference, repositoryId, number, title, author: login, isByBot: isBot = false, url } = change;
  const [repository = ''] = reference.split('#');
  return { kind: 'pull_request', repositoryId, repository, number, title, author: { login, isBot }, url };
}

const maxTitleLength = 300;
const maxTextLength = 20_000;

/** The issue or the release, with its text as people see it; or why it is passed over. */
async function describe(
  { github, secrets, runTask }: AutomationParts,
  { subject, source: { installationId, repository } }: { subject: OccasionSubject; source: Ready },
  signal: AbortSignal,
): Promise<OccasionSubject | string> {
  const permissions = subject.kind === 'issue' ? ({ issues: 'read' } as const) : ({ contents: 'read' } as const);
  try {
    await using access = await openAccess({
      github,
      secrets,
      location: { installationId, ...repository },
      permissions,
      signal,
    });
    const found = await fetchTexts(access.client, subject);
    if (!found) return 'It is gone.';
    const text = await stripHiddenInThread(bound(found.body, 2 * maxTextLength), runTask, signal);
    const title = storable(bound(found.title, maxTitleLength));
    return { ...subject, title, author: found.author, url: found.url, text: storable(bound(text, maxTextLength)) };
  } catch (error) {
    if (!(error instanceof GitHubRefusal)) throw error;
    return error.message;
  }
}

async function fetchTexts(client: RepositoryClient, { kind, number = 0 }: OccasionSubject) {
  if (kind === 'issue') return client.fetchIssue(number);
  const release = await client.fetchRelease(number);
  return release && { ...release, title: release.tag };
}

const isImage = (path: string): boolean => /\.(?:png|jpe?g|gif|svg|webp)$/i.test(path);

/**
 * A pull request of the documentation, open or merged, that the text of a change links to: people documented it themselves. Where code and
 * documentation share a repository, one that changes nothing but pages. null: there is none.
 */
async function findDocumenting(
  { openProject, webUrl }: AutomationParts,
  { project, change }: { project: Project; change: FoundChange },
  signal: AbortSignal,
): Promise<string | null> {
  const { owner, repo, repository_id: repositoryId } = project;
  const isShared = change.repositoryId === repositoryId;
  const numbers = listLinked(change.body, { owner, repo, webUrl, isShared }).filter(
    (number) => !isShared || number !== change.number,
  );
  if (numbers.length === 0) return null;
  await using access = await openProject(project, { pull_requests: 'read' }, signal);
  for (const number of numbers) {
    if (!(await isDocumenting(access.client, number, { isShared }))) continue;
    return `${owner}/${repo}#${number}`;
  }
  return null;
}

const maxLinked = 5;

/** In its own repository a pull request is also linked by its number alone. */
function listLinked(
  body: string,
  { owner, repo, webUrl, isShared }: { owner: string; repo: string; webUrl: string; isShared: boolean },
): number[] {
  const isDocumentation = (named: { owner: string; repo: string }) =>
    `${named.owner}/${named.repo}`.toLowerCase() === `${owner}/${repo}`.toLowerCase();
  const named = findNamedChanges(body, { webUrl }).named.filter(isDocumentation);
  const short = isShared
    ? [...body.matchAll(/(?<![\w/&#])#([1-9]\d{0,8})(?!\w)/g)].map(([, digits]) => Number(digits))
    : [];
  return [...new Set([...named.map(({ number }) => number), ...short])].slice(0, maxLinked);
}

async function isDocumenting(client: RepositoryClient, number: number, { isShared }: { isShared: boolean }) {
  const found = await client.fetchPullRequest(number);
  if (!found || (found.state === 'closed' && !found.merged)) return false;
  if (!isShared) return true;
  const files = await client.listPullRequestFiles(number);
  return files.length > 0 && files.every(({ path }) => isProse(path) || isImage(path));
}
