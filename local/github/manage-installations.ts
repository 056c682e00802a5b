import { randomInt } from 'node:crypto';
import { ensureAccount } from './accounts.ts';
import { defaultPermissions, repositoriesOf, requireInstallation } from './installations.ts';
import { presentInstallation, presentRepositoryStub } from './json/present.ts';
import type { Permissions } from './permissions.ts';
import { findRepository } from './repositories.ts';
import type { Account, Installation, Repository, World } from './world.ts';

export interface NewInstallation {
  account: string;
  /** Names without the owner. */
  repositories: 'all' | string[];
  permissions?: Permissions;
}

/** What the owner of an account does with the App: install, change, suspend, uninstall, with the events for each. */
export function manageInstallations(world: World) {
  /** Somebody pressed the button: the account itself, or for an organization the first person there is. */
  const senderFor = ({ account }: Installation): Account =>
    account.type === 'User' ? account : (world.accounts.values().find(({ type }) => type === 'User') ?? account);

  const announce = (installation: Installation, action: string, extra: Record<string, unknown> = {}) => {
    const payload = { installation: presentInstallation(world, installation), ...extra };
    world.send({ name: 'installation', action, installation, sender: senderFor(installation), payload });
  };

  const findIn = (account: Account, name: string): Repository => {
    const repository = findRepository(world, account.login, name);
    if (!repository) throw new Error(`could not find repository ${account.login}/${name}`);
    return repository;
  };

  const changeSelection = (installationId: number, action: 'added' | 'removed', names: string[]) => {
    const installation = requireInstallation(world, installationId);
    const changed = names.map((name) => findIn(installation.account, name));
    if (installation.repositories === 'all') {
      installation.repositories = new Set(repositoriesOf(world, installation).map(({ id }) => id));
    }
    for (const { id } of changed) installation.repositories[action === 'added' ? 'add' : 'delete'](id);
    installation.updatedAt = world.timestamp();
    const stubs = changed.map(presentRepositoryStub);
    const payload = {
      installation: presentInstallation(world, installation),
      repository_selection: 'selected',
      repositories_added: action === 'added' ? stubs : [],
      repositories_removed: action === 'removed' ? stubs : [],
      requester: null,
    };
    world.send({ name: 'installation_repositories', action, installation, sender: senderFor(installation), payload });
  };

  return {
    /** Gives the installation's id. */
    install({ account: login, repositories, permissions = defaultPermissions }: NewInstallation): number {
      const account = ensureAccount(world, login, 'Organization');
      const createdAt = world.timestamp();
      const installation: Installation = {
        // @octokit/auth-app shares tokens in flight by this number alone, across two Apps of one process.
        id: randomInt(10_000_000, 2_000_000_000),
        account,
        repositories: repositories === 'all' ? 'all' : new Set(repositories.map((name) => findIn(account, name).id)),
        permissions: { metadata: 'read', ...permissions },
        createdAt,
        updatedAt: createdAt,
        suspendedAt: null,
      };
      world.installations.set(installation.id, installation);
      const stubs = repositoriesOf(world, installation).map(presentRepositoryStub);
      announce(installation, 'created', { repositories: stubs, requester: null });
      return installation.id;
    },
    uninstall(installationId: number): void {
      const installation = requireInstallation(world, installationId);
      const repositories = repositoriesOf(world, installation).map(presentRepositoryStub);
      world.installations.delete(installationId);
      announce(installation, 'deleted', { repositories });
    },
    suspend(installationId: number): void {
      const installation = requireInstallation(world, installationId);
      installation.suspendedAt = world.timestamp();
      announce(installation, 'suspend');
    },
    unsuspend(installationId: number): void {
      const installation = requireInstallation(world, installationId);
      installation.suspendedAt = null;
      announce(installation, 'unsuspend');
    },
    addToInstallation: (installationId: number, names: string[]) => changeSelection(installationId, 'added', names),
    removeFromInstallation: (installationId: number, names: string[]) =>
      changeSelection(installationId, 'removed', names),
    /** As after a click on "Accept new permissions". Tokens minted before keep what they had. */
    setInstallationPermissions(installationId: number, permissions: Permissions): void {
      const installation = requireInstallation(world, installationId);
      installation.permissions = { metadata: 'read', ...permissions };
      announce(installation, 'new_permissions_accepted');
    },
  };
}
