import { presentAccount, presentOrganization } from '../json/present.ts';
import type { Account } from './account.ts';
import { ensureAccount } from './accounts.ts';
import { fullNameOf, requireRepository } from './repositories.ts';
import type { Repository, World } from './world.ts';

/** The settings page of a repository, with the `repository` events that follow. */
export function repositorySettings(world: World, sender: Account) {
  const announce = (repository: Repository, action: string, changes?: Record<string, unknown>) => {
    repository.updatedAt = world.timestamp();
    world.send({ name: 'repository', action, repository, sender, payload: changes ? { changes } : {} });
  };

  const remember = (repository: Repository) =>
    world.formerNames.set(fullNameOf(repository).toLowerCase(), repository.id);

  return {
    renameRepository(fullName: string, name: string): void {
      const repository = requireRepository(world, fullName);
      remember(repository);
      const from = repository.name;
      repository.name = name;
      announce(repository, 'renamed', { repository: { name: { from } } });
    },
    /** The old owner's installation loses it; an installation on all repositories of the new owner gains it. */
    transferRepository(fullName: string, newOwner: string): void {
      const repository = requireRepository(world, fullName);
      remember(repository);
      const from = repository.owner;
      repository.owner = ensureAccount(world, newOwner, 'Organization');
      const former =
        from.type === 'Organization'
          ? { organization: presentOrganization(world, from) }
          : { user: presentAccount(world, from) };
      announce(repository, 'transferred', { owner: { from: former } });
    },
    archiveRepository(fullName: string): void {
      const repository = requireRepository(world, fullName);
      repository.archived = true;
      announce(repository, 'archived');
    },
    publicizeRepository(fullName: string): void {
      const repository = requireRepository(world, fullName);
      repository.private = false;
      announce(repository, 'publicized');
    },
    setDefaultBranch(fullName: string, branch: string): void {
      const repository = requireRepository(world, fullName);
      const from = repository.defaultBranch;
      repository.defaultBranch = branch;
      announce(repository, 'edited', { default_branch: { from } });
    },
    deleteRepository(fullName: string): void {
      const repository = requireRepository(world, fullName);
      announce(repository, 'deleted');
      world.repositories.delete(repository.id);
      for (const installation of world.installations.values()) {
        if (installation.repositories !== 'all') installation.repositories.delete(repository.id);
      }
    },
  };
}
