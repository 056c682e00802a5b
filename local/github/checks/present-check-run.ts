import { apiUrlOf, nodeId, presentAccount, presentApp, webUrlOf } from '../json/present.ts';
import type { Account } from '../state/account.ts';
import { ensureAccount } from '../state/accounts.ts';
import type { CheckRun } from '../state/checks.ts';
import type { PullRequest, Repository, World } from '../state/world.ts';

export function presentCheckRun(repository: Repository, run: CheckRun) {
  const url = `${apiUrlOf(repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: `${webUrlOf(repository)}/runs/${run.id}`,
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    name: run.name,
    check_suite: { id: run.suiteId },
    app: presentReporter(repository.world, run),
    pull_requests: presentHeads(repository, run),
  };
}

export const presentAnnotation = (
  repository: Repository,
  { headSha }: CheckRun,
  { path, startLine, endLine, level, title, message }: CheckRun['annotations'][number],
) => ({
  path,
  start_line: startLine,
  end_line: endLine,
  start_column: null,
  end_column: null,
  annotation_level: level,
  title,
  message,
  raw_details: null,
  blob_href: `${webUrlOf(repository)}/blob/${headSha}/${path}`,
});

/** Only this stand-in's own App has a registration here. */
function presentReporter(world: World, { app: { id, slug } }: CheckRun) {
  const own = world.app;
  if (own?.id === id) return { ...presentApp(world, own), permissions: own.permissions, events: own.events };
  const owner = presentAccount(world, ensureAccount(world, 'github', 'Organization'));
  const at = '2026-01-01T00:00:00Z';
  const urls = { external_url: 'https://example.com', html_url: `${world.webUrl}/apps/${slug}` };
  const name = { id, slug, client_id: `Iv1.${slug}`, node_id: nodeId('A', id), owner, name: slug, description: '' };
  return { ...name, ...urls, created_at: at, updated_at: at, permissions: {}, events: [] };
}

/** Pull requests of the repository itself, not those of forks. */
const presentHeads = (repository: Repository, { headSha }: CheckRun) =>
  repository.pullRequests
    .filter((pullRequest) => pullRequest.state === 'open' && pullRequest.headSha === headSha && !pullRequest.fork)
    .map((pullRequest) => presentMinimal(pullRequest));

function presentMinimal(pullRequest: PullRequest) {
  const { repository } = pullRequest;
  const url = apiUrlOf(repository);
  const repo = { id: repository.id, url, name: repository.name };
  return {
    id: pullRequest.id,
    number: pullRequest.number,
    url: `${url}/pulls/${pullRequest.number}`,
    head: { ref: pullRequest.headRef, sha: pullRequest.headSha, repo },
    base: { ref: pullRequest.baseRef, sha: pullRequest.baseSha, repo },
  };
}

export function announceCheckRun(
  repository: Repository,
  run: CheckRun,
  { action, sender }: { action: string; sender: Account },
): void {
  const suite = presentSuite(repository, run);
  const payload = { check_run: { ...presentCheckRun(repository, run), check_suite: suite } };
  repository.world.send({ name: 'check_run', action, repository, sender, payload });
}

export function announceCheckSuite(repository: Repository, run: CheckRun, sender: Account): void {
  const ofSuite = repository.checkRuns.filter(({ suiteId }) => suiteId === run.suiteId);
  const author = { name: 'somebody', email: 'somebody@example.com' };
  const suite = {
    ...presentSuite(repository, run),
    latest_check_runs_count: ofSuite.length,
    check_runs_url: `${apiUrlOf(repository)}/check-suites/${run.suiteId}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
    head_commit: {
      id: run.headSha,
      tree_id: run.headSha,
      message: 'A commit',
      timestamp: run.startedAt,
      author,
      committer: author,
    },
  };
  repository.world.send({
    name: 'check_suite',
    action: 'completed',
    repository,
    sender,
    payload: { check_suite: suite },
  });
}

function presentSuite(repository: Repository, run: CheckRun) {
  const heads = presentHeads(repository, run);
  return {
    id: run.suiteId,
    node_id: nodeId('CS', run.suiteId),
    head_branch: heads[0]?.head.ref ?? null,
    head_sha: run.headSha,
    status: run.status,
    conclusion: run.conclusion,
    url: `${apiUrlOf(repository)}/check-suites/${run.suiteId}`,
    before: null,
    after: run.headSha,
    pull_requests: heads,
    app: presentReporter(repository.world, run),
    created_at: run.startedAt,
    updated_at: run.completedAt ?? run.startedAt,
  };
}
