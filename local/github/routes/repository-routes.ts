import { findAccount } from '../accounts.ts';
import { ApiError, notFound } from '../api-error.ts';
import { findBranch, findCommit, readCommits } from '../git/read-git.ts';
import { apiUrlOf, nodeId, presentAccount, presentRepository } from '../json/present.ts';
import { presentCommit } from '../json/present-commit.ts';
import { isAtLeast, roleOf } from '../repositories.ts';
import type { Role } from '../world.ts';
import { ok, type Route } from './route.ts';

const metadata = [{ metadata: 'read' as const }];
const contents = [{ contents: 'read' as const }];

/** The old four levels; the finer roles fall to the next lower one. */
const permissionOf: Record<Role, string> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
  none: 'none',
};

export const repositoryRoutes: Route[] = [
  {
    method: 'GET',
    path: '',
    as: 'repository',
    needs: metadata,
    handle: ({ world, repository }) => ok(presentRepository(world, repository)),
  },
  {
    method: 'GET',
    path: '/branches/*branch',
    as: 'repository',
    needs: contents,
    async handle({ world, repository, params }) {
      const name = params.branch ?? '';
      const sha = await findBranch(repository.directory, name);
      const [commit] = sha ? await readCommits(repository.directory, ['-1', sha]) : [];
      if (!commit) throw new ApiError(404, 'Branch not found');
      const url = `${apiUrlOf(world, repository)}/branches/${name}`;
      return ok({
        name,
        commit: presentCommit(world, repository, commit),
        _links: { self: url, html: `${world.webUrl}/${repository.owner.login}/${repository.name}/tree/${name}` },
        protected: repository.rules.has(name),
        protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
        protection_url: `${url}/protection`,
      });
    },
  },
  {
    method: 'GET',
    path: '/git/ref/*ref',
    as: 'repository',
    needs: contents,
    async handle({ world, repository, params }) {
      const ref = `refs/${params.ref ?? ''}`;
      const sha = /^refs\/(heads|tags)\/./.test(ref) ? await findCommit(repository.directory, ref) : undefined;
      if (!sha) throw notFound();
      const url = apiUrlOf(world, repository);
      return ok({
        ref,
        node_id: nodeId('REF', repository.id),
        url: `${url}/git/${ref}`,
        object: { sha, type: 'commit', url: `${url}/git/commits/${sha}` },
      });
    },
  },
  {
    method: 'GET',
    path: '/rules/branches/*branch',
    as: 'repository',
    needs: metadata,
    handle: ({ repository, params }) => ok(repository.rules.get(params.branch ?? '') ?? []),
  },
  {
    method: 'GET',
    path: '/collaborators/:login/permission',
    as: 'repository',
    needs: metadata,
    handle({ world, repository, params }) {
      const account = findAccount(world, params.login ?? '');
      if (!account) throw notFound();
      if (account.type !== 'User') throw new ApiError(404, `${account.login} is not a user`);
      const role = roleOf(repository, account);
      const permissions = {
        admin: isAtLeast(role, 'admin'),
        maintain: isAtLeast(role, 'maintain'),
        push: isAtLeast(role, 'write'),
        triage: isAtLeast(role, 'triage'),
        pull: isAtLeast(role, 'read'),
      };
      const user = { ...presentAccount(world, account), permissions, role_name: role };
      return ok({ permission: permissionOf[role], role_name: role, user });
    },
  },
];
