import { readCommits } from '../git/read-git.ts';
import { apiUrlOf, nodeId, presentAccount, webUrlOf } from '../json/present.ts';
import { presentCommit } from '../json/present-commit.ts';
import type { Account } from '../state/account.ts';
import type { CommitStatus } from '../state/checks.ts';
import type { Repository } from '../state/world.ts';

export interface NewStatus {
  sha: string;
  state: CommitStatus['state'];
  context: string;
  description?: string;
  targetUrl?: string;
}

/** https://docs.github.com/en/rest/commits/statuses */
export async function createStatus(repository: Repository, status: NewStatus, sender: Account): Promise<void> {
  const { world } = repository;
  const { sha, state, context, description = null, targetUrl = null } = status;
  const made = { id: world.nextId(), sha, state, context, description, targetUrl, createdAt: world.timestamp() };
  repository.statuses.push(made);
  const [commit] = await readCommits(repository.directory, ['-1', sha]);
  if (!commit) throw new Error(`could not set a status of ${sha}: there is no such commit`);
  const { stats: _stats, files: _files, ...shown }: Record<string, unknown> = presentCommit(repository, commit);
  world.send({
    name: 'status',
    repository,
    sender,
    payload: {
      id: made.id,
      sha,
      name: `${repository.owner.login}/${repository.name}`,
      avatar_url: presentAccount(world, sender).avatar_url,
      target_url: targetUrl,
      context,
      description,
      state,
      commit: shown,
      branches: [],
      created_at: made.createdAt,
      updated_at: made.createdAt,
    },
  });
}

/** The newest of each context. */
export const listStatuses = (repository: Repository, sha: string): CommitStatus[] => [
  ...new Map(
    repository.statuses.filter((status) => status.sha === sha).map((status) => [status.context, status]),
  ).values(),
];

export const presentStatus = (repository: Repository, status: CommitStatus) => ({
  url: `${apiUrlOf(repository)}/statuses/${status.sha}`,
  avatar_url: `${repository.world.webUrl}/avatars/1`,
  id: status.id,
  node_id: nodeId('SC', status.id),
  state: status.state,
  description: status.description,
  target_url: status.targetUrl,
  context: status.context,
  created_at: status.createdAt,
  updated_at: status.createdAt,
});

export interface NewDeployment {
  sha: string;
  ref: string;
  environment: string;
  state: 'success' | 'failure' | 'in_progress';
  environmentUrl?: string;
}

/** A deployment with its status, as a deploying App reports it: https://docs.github.com/en/rest/deployments/statuses */
export function deploy(repository: Repository, deployment: NewDeployment, sender: Account): void {
  const { world } = repository;
  const { sha, ref, environment, state, environmentUrl = '' } = deployment;
  const [id, statusId, at] = [world.nextId(), world.nextId(), world.timestamp()];
  const url = `${apiUrlOf(repository)}/deployments/${id}`;
  const shared = { creator: presentAccount(world, sender), environment, created_at: at, updated_at: at };
  const links = { repository_url: apiUrlOf(repository), performed_via_github_app: null };
  world.send({
    name: 'deployment_status',
    action: 'created',
    repository,
    sender,
    payload: {
      deployment: {
        ...shared,
        ...links,
        id,
        node_id: nodeId('DE', id),
        url,
        sha,
        ref,
        task: 'deploy',
        payload: {},
        original_environment: environment,
        description: null,
        statuses_url: `${url}/statuses`,
      },
      deployment_status: {
        ...shared,
        ...links,
        id: statusId,
        node_id: nodeId('DES', statusId),
        url: `${url}/statuses/${statusId}`,
        deployment_url: url,
        state,
        description: '',
        target_url: environmentUrl,
        environment_url: environmentUrl,
        log_url: webUrlOf(repository),
      },
      check_run: null,
      workflow: null,
      workflow_run: null,
    },
  });
}
