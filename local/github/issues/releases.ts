import { apiUrlOf, nodeId, presentAccount, webUrlOf } from '../json/present.ts';
import type { Account } from '../state/account.ts';
import type { Release, Repository } from '../state/world.ts';

interface NewRelease {
  tag: string;
  body?: string;
  draft?: boolean;
  prerelease?: boolean;
}

/** A draft is created and no more; another release is created, published and, unless it is a prerelease, released. */
export function createRelease(
  repository: Repository,
  { tag, body = '', draft = false, prerelease = false }: NewRelease,
  author: Account,
): Release {
  const createdAt = repository.world.timestamp();
  const publishedAt = draft ? null : createdAt;
  const release: Release = {
    id: repository.world.nextId(),
    tag,
    body,
    draft,
    prerelease,
    author,
    createdAt,
    publishedAt,
  };
  repository.releases.push(release);
  announce(repository, release, ['created', ...(draft ? [] : publishingActions(release))], author);
  return release;
}

export function publishRelease(repository: Repository, release: Release, sender: Account): void {
  Object.assign(release, { draft: false, publishedAt: repository.world.timestamp() });
  announce(repository, release, publishingActions(release), sender);
}

const publishingActions = ({ prerelease }: Release): string[] => ['published', prerelease ? 'prereleased' : 'released'];

function announce(repository: Repository, release: Release, actions: readonly string[], sender: Account): void {
  for (const action of actions)
    repository.world.send({
      name: 'release',
      action,
      repository,
      sender,
      payload: { release: presentRelease(repository, release) },
    });
}

export function presentRelease(repository: Repository, release: Release) {
  const url = `${apiUrlOf(repository)}/releases/${release.id}`;
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    html_url: `${webUrlOf(repository)}/releases/tag/${encodeURIComponent(release.tag)}`,
    id: release.id,
    node_id: nodeId('RE', release.id),
    tag_name: release.tag,
    target_commitish: repository.defaultBranch,
    name: release.tag,
    draft: release.draft,
    immutable: false,
    prerelease: release.prerelease,
    author: presentAccount(repository.world, release.author),
    created_at: release.createdAt,
    updated_at: release.publishedAt ?? release.createdAt,
    published_at: release.publishedAt,
    assets: [],
    tarball_url: `${apiUrlOf(repository)}/tarball/${release.tag}`,
    zipball_url: `${apiUrlOf(repository)}/zipball/${release.tag}`,
    body: release.body,
  };
}
