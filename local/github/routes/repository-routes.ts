import { ApiError, notFound } from '../api/api-error.ts';
import { findBranch, listBranches, readCommits } from '../git/read-git.ts';
import { apiUrlOf, presentAccount, presentRepository } from '../json/present.ts';
import { presentCommit } from '../json/present-commit.ts';
import { rulesetsOf } from '../rules/rulesets-of.ts';
import type { Role } from '../state/account.ts';
import { findAccount } from '../state/accounts.ts';
import { grantOf, isAtLeast } from '../state/repositories.ts';
import { paginate } from './paginate.ts';
import { ok, onRepository, type Route } from './route.ts';

const metadata = [{ metadata: 'read' as const }];
const contents = [{ contents: 'read' as const }];

/** The four legacy levels; a finer role maps to the next lower one. */
const permissionOf: Record<Role, string> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
  none: 'none',
};

export const repositoryRoutes: Route[] = [
  onRepository.get('', metadata, ({ repository }) => ok(presentRepository(repository))),
  onRepository.get('/branches', contents, async (call) => {
    const { repository } = call;
    const branches = await listBranches(repository.directory);
    const all = branches.map((branch, id) => ({ ...branch, id }));
    return paginate(call, all, (page) =>
      page.map(({ name, sha }) => ({
        name,
        commit: { sha, url: `${apiUrlOf(repository)}/commits/${sha}` },
        protected: rulesetsOf(repository, name).length > 0,
      })),
    );
  }),
  onRepository.get('/branches/*branch', contents, async ({ world, repository, params }) => {
    const name = params.branch ?? '';
    const sha = await findBranch(repository.directory, name);
    const [commit] = sha ? await readCommits(repository.directory, ['-1', sha]) : [];
    if (!commit) throw new ApiError(404, 'Branch not found');
    const url = `${apiUrlOf(repository)}/branches/${name}`;
    return ok({
      name,
      commit: presentCommit(repository, commit),
      _links: { self: url, html: `${world.webUrl}/${repository.owner.login}/${repository.name}/tree/${name}` },
      protected: rulesetsOf(repository, name).length > 0,
      protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
      protection_url: `${url}/protection`,
    });
  }),
  onRepository.get('/collaborators/:login/permission', metadata, ({ world, repository, params }) => {
    const account = findAccount(world, params.login ?? '');
    if (!account) throw notFound();
    if (account.type !== 'User') throw new ApiError(404, `${account.login} is not a user`);
    const { base: role, roleName } = grantOf(repository, account);
    const permissions = {
      admin: isAtLeast(role, 'admin'),
      maintain: isAtLeast(role, 'maintain'),
      push: isAtLeast(role, 'write'),
      triage: isAtLeast(role, 'triage'),
      pull: isAtLeast(role, 'read'),
    };
    const user = { ...presentAccount(world, account), permissions, role_name: roleName };
    return ok({ permission: permissionOf[role], role_name: roleName, user });
  }),
];
