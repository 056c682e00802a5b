import { requireApp } from '../apps/require-app.ts';
import type { Account } from '../state/account.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { App, Installation, Repository, World } from '../state/world.ts';
import { repositoryUrls } from './repository-urls.ts';

/** A node id that looks like GitHub's and is unique per kind. Opaque to clients. */
export const nodeId = (prefix: string, id: number): string =>
  `${prefix}_kwDO${Buffer.from(String(id)).toString('base64url')}`;

export function presentAccount(world: World, account: Account) {
  const escaped = encodeURIComponent(account.login);
  const url = `${world.apiUrl}/users/${escaped}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type === 'Organization' ? 'O' : account.type === 'Bot' ? 'BOT' : 'U', account.id),
    avatar_url: `${world.webUrl}/avatars/${account.id}`,
    gravatar_id: '',
    url,
    html_url:
      account.type === 'Bot'
        ? `${world.webUrl}/apps/${account.login.replace('[bot]', '')}`
        : `${world.webUrl}/${escaped}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** An account on its own page, as `GET users/{login}` shows it. */
export const presentProfile = (world: World, account: Account) => ({
  ...presentAccount(world, account),
  name: account.login,
  company: null,
  blog: '',
  location: null,
  email: null,
  hireable: null,
  bio: null,
  twitter_username: null,
  public_repos: 0,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
});

/** The organization of a repository, as webhooks show it: not as an account. */
export function presentOrganization(world: World, account: Account) {
  const url = `${world.apiUrl}/orgs/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('O', account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.webUrl}/avatars/${account.id}`,
    description: null,
  };
}

export const apiUrlOf = (repository: Repository): string =>
  `${repository.world.apiUrl}/repos/${fullNameOf(repository)}`;
export const webUrlOf = (repository: Repository): string => `${repository.world.webUrl}/${fullNameOf(repository)}`;

export function presentRepository(repository: Repository) {
  const openCount = repository.pullRequests.filter(({ state }) => state === 'open').length;
  return {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name: repository.name,
    full_name: fullNameOf(repository),
    private: repository.private,
    owner: presentAccount(repository.world, repository.owner),
    ...repositoryUrls(apiUrlOf(repository), webUrlOf(repository)),
    description: null,
    fork: false,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
    homepage: null,
    size: repository.kilobytes,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: true,
    has_projects: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    has_downloads: true,
    forks_count: 0,
    network_count: 0,
    subscribers_count: 0,
    archived: repository.archived,
    disabled: false,
    is_template: repository.isTemplate,
    license: null,
    allow_forking: true,
    web_commit_signoff_required: false,
    open_issues_count: openCount,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    forks: 0,
    open_issues: openCount,
    watchers: 0,
    default_branch: repository.defaultBranch,
  };
}

export const presentRepositoryStub = (repository: Repository) => ({
  id: repository.id,
  node_id: nodeId('R', repository.id),
  name: repository.name,
  full_name: fullNameOf(repository),
  private: repository.private,
});

export function presentInstallation(world: World, installation: Installation) {
  const url = `${world.apiUrl}/app/installations/${installation.id}`;
  const app = requireApp(world);
  const isOrganization = installation.account.type === 'Organization';
  return {
    id: installation.id,
    client_id: app.clientId,
    account: presentAccount(world, installation.account),
    repository_selection: installation.repositories === 'all' ? 'all' : 'selected',
    access_tokens_url: `${url}/access_tokens`,
    repositories_url: `${world.apiUrl}/installation/repositories`,
    html_url: `${world.webUrl}/${isOrganization ? `organizations/${installation.account.login}/` : ''}settings/installations/${installation.id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: installation.account.id,
    target_type: installation.account.type,
    permissions: installation.permissions,
    events: app.events,
    created_at: installation.createdAt,
    updated_at: installation.updatedAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: installation.suspendedAt,
  };
}

export const presentApp = (world: World, app: App) => ({
  id: app.id,
  slug: app.slug,
  client_id: app.clientId,
  node_id: nodeId('A', app.id),
  owner: presentAccount(world, app.owner),
  name: app.name,
  description: app.description,
  external_url: app.externalUrl,
  html_url: `${world.webUrl}/apps/${app.slug}`,
  created_at: app.createdAt,
  updated_at: app.createdAt,
});
