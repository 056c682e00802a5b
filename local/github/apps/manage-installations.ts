import { randomInt } from 'node:crypto';
import { presentInstallation, presentRepositoryStub } from '../json/present.ts';
import type { Account } from '../state/account.ts';
import { ensureAccount } from '../state/accounts.ts';
import { repositoriesOf, requireInstallation } from '../state/installations.ts';
import type { Permissions } from '../state/permissions.ts';
import { findRepository } from '../state/repositories.ts';
import type { Installation, Repository, World } from '../state/world.ts';
import { requireApp } from './require-app.ts';

export interface NewInstallation {
  account: string;
  /** Names without the owner. */
  repositories: 'all' | string[];
  /** Default: all that the App requests. Others stand for an owner who has not accepted all of them. */
  permissions?: Permissions;
}

/** What an account's owner does with the App: install, change, suspend, uninstall, with the events of each. */
export function manageInstallations(world: World) {
  /** The sender: the account itself, or the first person of an organization. */
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

  const announceSelection = (installation: Installation, changed: { added?: Repository[]; removed?: Repository[] }) => {
    installation.updatedAt = world.timestamp();
    const { added = [], removed = [] } = changed;
    const payload = {
      installation: presentInstallation(world, installation),
      repository_selection: installation.repositories === 'all' ? 'all' : 'selected',
      repositories_added: added.map(presentRepositoryStub),
      repositories_removed: removed.map(presentRepositoryStub),
      requester: null,
    };
    const action = changed.added ? 'added' : 'removed';
    world.send({ name: 'installation_repositories', action, installation, sender: senderFor(installation), payload });
  };

  /** A change from "all" to "selected" lists no removed repositories on GitHub. */
  const select = (installation: Installation, repositories: Repository[]) => {
    installation.repositories = new Set(repositories.map(({ id }) => id));
    announceSelection(installation, { removed: [] });
  };

  return {
    /** Returns the installation's id. */
    install({ account: login, repositories, permissions = requireApp(world).permissions }: NewInstallation): number {
      const account = ensureAccount(world, login, 'Organization');
      const createdAt = world.timestamp();
      const installation: Installation = {
        // @octokit/auth-app caches tokens by this number alone, across two Apps of one process.
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
    addToInstallation(installationId: number, names: string[]): void {
      const installation = requireInstallation(world, installationId);
      const added = names.map((name) => findIn(installation.account, name));
      if (installation.repositories === 'all') return;
      for (const { id } of added) installation.repositories.add(id);
      announceSelection(installation, { added });
    },
    /** Switches an installation from all repositories to all but these. */
    removeFromInstallation(installationId: number, names: string[]): void {
      const installation = requireInstallation(world, installationId);
      const removed = names.map((name) => findIn(installation.account, name));
      if (installation.repositories === 'all') {
        select(
          installation,
          repositoriesOf(world, installation).filter((each) => !removed.includes(each)),
        );
        return;
      }
      for (const { id } of removed) installation.repositories.delete(id);
      announceSelection(installation, { removed });
    },
    /** Switches an installation from all repositories to these. */
    selectRepositories(installationId: number, names: string[]): void {
      const installation = requireInstallation(world, installationId);
      select(
        installation,
        names.map((name) => findIn(installation.account, name)),
      );
    },
    /** As a click on "Accept new permissions". Existing tokens keep their permissions. */
    setInstallationPermissions(installationId: number, permissions: Permissions): void {
      const installation = requireInstallation(world, installationId);
      installation.permissions = { metadata: 'read', ...permissions };
      announce(installation, 'new_permissions_accepted');
    },
  };
}

export type ManageInstallations = ReturnType<typeof manageInstallations>;
