import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FaultKind } from '../../../local/github/api/faults.ts';
import type { Grant, Role } from '../../../local/github/state/account.ts';
import type { WriteAccess } from '../../../src/deliveries/instructions/write-access.ts';
import { GitHubUnavailable } from '../../../src/github/refusals/errors.ts';
import type { OpenProject } from '../../../src/projects/open-project.ts';
import { createRoles } from '../../../src/projects/roles.ts';
import { findProject, type Project } from '../../../src/store/tables/repositories/projects.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

const { signal } = new AbortController();
const permissionPath = /\/collaborators\/[^/]+\/permission$/;
let world: World;
let project: Project;
let mayPrompt: WriteAccess['mayPrompt'];
let isTrusted: WriteAccess['isTrusted'];
let lines: string[];
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
  project = await readProject();
});
beforeEach(() => {
  lines = [];
  ({ mayPrompt, isTrusted } = createParts(world, { lines, retryDelaysMs: [1, 1] }));
});
afterAll(() => world[Symbol.asyncDispose]());

async function readProject(projectId = world.projectId): Promise<Project> {
  const found = await findProject(world.database.database, projectId);
  if (!found) throw new Error('the world has a project');
  return found;
}

/** About whoever has this login now. */
const findPerson = (login: string) => ({ login, userId: world.github.addUser(login).id });
const ask = (login: string) => mayPrompt({ project, person: findPerson(login), signal });
/** How often GitHub was asked what this person may do. */
const countAsked = (login: string) =>
  world.github.requests.filter(({ path }) => path.toLowerCase().endsWith(`/collaborators/${login}/permission`)).length;

test.each<[string, Role | Grant, boolean]>([
  ['admins', 'admin', true],
  ['maintains', 'maintain', true],
  ['writes', 'write', true],
  ['triages', 'triage', false],
  ['reads', 'read', false],
  ['has no access any more', 'none', false],
  ['has a custom role that builds on write', { base: 'write', roleName: 'docs writer' }, true],
  ['has a custom role that builds on maintain', { base: 'maintain', roleName: 'release manager' }, true],
  ['has a custom role that builds on triage', { base: 'triage', roleName: 'admin' }, false],
  ['has a custom role that builds on read', { base: 'read', roleName: 'write' }, false],
])('promise 6: whether somebody may prompt who %s', async (name, role, expected) => {
  const login = `person-${name.replaceAll(' ', '-')}`;
  world.github.setPermission('acme/docs', login, role);
  expect(await ask(login)).toBe(expected);
});

test.each<[string, () => string]>([
  ['a stranger', () => world.github.addUser('stranger').login],
  ['a bot', () => world.github.addUser('helper[bot]', { type: 'Bot' }).login],
  ['ourselves', () => 'pagewright-test[bot]'],
  ['an organisation', () => world.github.addUser('some-organisation', { type: 'Organization' }).login],
])('promise 6: %s may not prompt', async (_name, login) => {
  expect(await ask(login())).toBe(false);
});

test('promise 6: an account that GitHub does not know may not prompt', async () => {
  expect(await mayPrompt({ project, person: { login: 'nobody-at-all', userId: 404 }, signal })).toBe(false);
});

test('promise 6: a new owner of a login does not inherit the permission of the old one', async () => {
  world.github.setPermission('acme/docs', 'renamed', 'write');
  const taker = { login: 'renamed', userId: world.github.addUser('taker').id };
  expect(await mayPrompt({ project, person: taker, signal })).toBe(false);
  expect(await ask('renamed')).toBe(true);
  expect(await mayPrompt({ project, person: taker, signal })).toBe(false);
});

test('a stranger may not prompt in a public repository', async () => {
  const { github, installationId } = world;
  const { id: repositoryId } = await github.addRepository({ owner: 'acme', name: 'open', files: {}, private: false });
  github.addUser('passer-by');
  const open = { ...project, project_id: 'prj_open', repository_id: repositoryId, repo: 'open' };
  expect(open.installation_id).toBe(installationId);
  expect(await mayPrompt({ project: open, person: findPerson('passer-by'), signal })).toBe(false);
});

test('promise 6: a person who lost write access cannot prompt any more, however lately they could', async () => {
  world.github.setPermission('acme/docs', 'leaver', 'write');
  expect(await ask('leaver')).toBe(true);
  world.github.setPermission('acme/docs', 'leaver', 'read');
  expect(await ask('leaver')).toBe(false);
});

test('a no is remembered, in any case of the login', async () => {
  world.github.setPermission('acme/docs', 'reader', 'read');
  for (const login of ['reader', 'Reader', 'READER']) expect(await ask(login)).toBe(false);
  expect(countAsked('reader')).toBe(1);
});

test('whose text may be read is remembered for a few minutes, and what a prompt learned counts for it', async () => {
  world.github.setPermission('acme/docs', 'writer', 'write');
  for (const login of ['writer', 'Writer', 'WRITER'])
    expect(await isTrusted({ project, person: findPerson(login), signal })).toBe(true);
  expect(countAsked('writer')).toBe(1);
  world.github.setPermission('acme/docs', 'writer', 'read');
  expect(await ask('writer')).toBe(false);
  expect(await isTrusted({ project, person: findPerson('writer'), signal })).toBe(false);
});

test('concurrent comments share one permission request', async () => {
  world.github.setPermission('acme/docs', 'thorough', 'write');
  expect(await Promise.all(Array.from({ length: 10 }, () => ask('thorough')))).toEqual(Array(10).fill(true));
  expect(countAsked('thorough')).toBe(1);
});

test('an answer that a change waited for ends no request of others', async () => {
  world.github.setPermission('acme/docs', 'busy', 'write');
  const parts = createParts(world);
  const slow = Promise.withResolvers<void>();
  let opened = 0;
  const openProject: OpenProject = async (...request) => {
    opened += 1;
    if (opened === 1) await slow.promise;
    return parts.openProject(...request);
  };
  const roles = createRoles({ openProject });
  const question = { project, person: findPerson('busy'), signal };
  const found = roles.find(question);
  expect(await roles.ask(question)).toBe('write');
  slow.resolve();
  expect(await found).toBe('write');
});

test('a page waits for a request of others only as long as for its own', async () => {
  const opened = Promise.withResolvers<void>();
  const openProject: OpenProject = (_project, _permissions, asker) =>
    new Promise((_resolve, reject) => {
      asker.addEventListener('abort', () => reject(asker.reason), { once: true });
      opened.resolve();
    });
  const roles = createRoles({ openProject });
  const question = { project, person: findPerson('waiting') };
  const delivery = new AbortController();
  const page = new AbortController();
  const confirmed = roles.confirm({ ...question, signal: delivery.signal });
  await opened.promise;
  const found = roles.find({ ...question, signal: page.signal });
  page.abort(new Error('the page took too long'));
  await expect(found).rejects.toThrow('the page took too long');
  delivery.abort(new Error('the delivery took too long'));
  await expect(confirmed).rejects.toThrow('the delivery took too long');
});

test('a caller who leaves ends no shared request of others', async () => {
  world.github.setPermission('acme/docs', 'patient', 'write');
  const parts = createParts(world);
  const slow = Promise.withResolvers<void>();
  const openProject: OpenProject = async (found, permissions, asker) => {
    await slow.promise;
    return parts.openProject(found, permissions, asker);
  };
  const roles = createRoles({ openProject });
  const question = { project, person: findPerson('patient') };
  const leaving = new AbortController();
  const left = roles.confirm({ ...question, signal: leaving.signal });
  const stayed = roles.find({ ...question, signal });
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  slow.resolve();
  expect(await stayed).toBe('write');
});

test('a stop counts while GitHub is down, also after an instruction was held up', async () => {
  world.github.setPermission('acme/docs', 'steady', 'write');
  const question = { project, person: findPerson('steady'), signal };
  expect(await mayPrompt(question)).toBe(true);
  world.github.inject({ method: 'GET', path: permissionPath, times: 3, kind: 'before', status: 502 });
  await expect(mayPrompt(question)).rejects.toBeInstanceOf(GitHubUnavailable);
  expect(await isTrusted(question)).toBe(true);
  expect(countAsked('steady')).toBe(4);
});

test('promise 12: a permission in one repository does not count in another', async () => {
  world.github.setPermission('acme/docs', 'neighbour', 'admin');
  expect(await ask('neighbour')).toBe(true);
  const { id: repositoryId } = await world.github.addRepository({ owner: 'acme', name: 'secret', files: {} });
  const other = { ...project, project_id: 'prj_other', repository_id: repositoryId, repo: 'secret' };
  expect(await mayPrompt({ project: other, person: findPerson('neighbour'), signal })).toBe(false);
});

test.each<[string, FaultKind]>([
  ['answers with an error', { kind: 'before', status: 502 }],
  ['cuts the connection', { kind: 'reset-before' }],
])('promise 6: nobody may prompt while GitHub %s, and is asked about again later', async (_name, fault) => {
  world.github.setPermission('acme/docs', 'hurried', 'write');
  const failing = world.github.inject({ method: 'GET', path: permissionPath, times: 3, ...fault });
  await expect(ask('hurried')).rejects.toBeInstanceOf(GitHubUnavailable);
  expect(failing.hits()).toBe(3);
  expect(await ask('hurried')).toBe(true);
});

test.each<[string, object]>([
  ['that has no permission in it', { role_name: 'admin' }],
  ['with a permission that nobody knows', { permission: 'owner' }],
])('promise 6: an answer %s is no yes', async (_name, body) => {
  world.github.inject({ method: 'GET', path: permissionPath, kind: 'answer', status: 200, body });
  await expect(ask('rita')).rejects.toThrow();
});

test('a person without permission is logged once, however often they comment', async () => {
  world.github.setPermission('acme/docs', 'chatty', 'read');
  for (let times = 0; times < 3; times += 1) await ask('chatty');
  await ask('Chatty');
  await ask('rita');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'info',
      login: 'chatty',
      projectId: world.projectId,
      msg: 'ignored a comment by somebody without write access',
    }),
  ]);
});
