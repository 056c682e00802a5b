import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { createPrivateKey } from '../../harness/create-private-key.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { parseStart, variables } from '../../src/config/config.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const known = Object.keys(variables.shape);
const dockerfile = read('Dockerfile');

/** What an operator keeps secret. */
const secrets = {
  APP_ID: '1',
  PRIVATE_KEY: createPrivateKey(),
  WEBHOOK_SECRET: 'sixteen-letters!',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  OPENAI_API_KEY: 'sk-1',
  DATABASE_URL: 'postgresql://p:p@db/p',
};

/** The instructions of the Dockerfile, with continued lines joined. */
const instructions = dockerfile
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const argumentsOf = (name: string) =>
  instructions.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));

describe('the Dockerfile', () => {
  const copied = argumentsOf('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1));

  test('copies only what the project has and .dockerignore lets through', () => {
    const allowed = read('.dockerignore').split('\n');
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(copied.filter((path) => !allowed.includes(`!${path}`))).toEqual([]);
  });

  test('copies everything that the source reads outside of itself', () => {
    const outside = globSync('src/**/*.ts').flatMap((file) =>
      [...read(file).matchAll(/'((?:\.\.\/)+[\w.-]+)(?=['/])/g)]
        .map(([, path = '']) => join(dirname(file), path))
        .filter((path) => !path.startsWith('src')),
    );
    expect(outside).toContain('package.json');
    // The command line leaves the evaluation out where its folder is missing.
    expect(outside.filter((path) => !copied.includes(path) && path !== 'eval')).toEqual([]);
  });

  test('sets only variables that the service reads, and runs a command of pagewright as a user without rights', () => {
    const set = argumentsOf('ENV').flatMap((line) => [...line.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name));
    expect(set.filter((name) => !known.includes(name))).toEqual(['NODE_ENV']);
    expect(argumentsOf('USER')).toEqual(['10001']);
    expect(argumentsOf('ENTRYPOINT')).toEqual(['["pagewright"]']);
    expect(read('src/pagewright.ts')).toContain(
      `.command(${(argumentsOf('CMD')[0] ?? '').slice(1, -1).replaceAll('"', "'")})`,
    );
    expect(read('src/http/probes.ts')).toContain("'/livez'");
  });

  test('builds on the Node.js of the project', () => {
    const major = Number.parseInt(packageJson.optionalDependencies.node, 10);
    expect(argumentsOf('FROM')[0]).toMatch(new RegExp(`^node:${major}-`));
  });
});

const composeSchema = z.object({
  services: z.object({
    pagewright: z.looseObject({ image: z.string(), environment: z.record(z.string(), z.string()) }),
    postgres: z.looseObject({ image: z.string() }),
  }),
});

test('compose.yaml sets variables that the service reads and starts with, and names this version', () => {
  const { pagewright, postgres } = composeSchema.parse(parse(read('compose.yaml'))).services;
  expect(Object.keys(pagewright.environment).filter((name) => !known.includes(name))).toEqual([]);
  const environment = { ...pagewright.environment, DATABASE_URL: secrets.DATABASE_URL };
  const operators = { OPENAI_MODEL: 'm', OPENAI_API_KEY: 'sk-1' };
  // `/setup` registers the App.
  expect(parseStart({ ...environment, ...operators, DATA_DIR: '/nonexistent' }).kind).toBe('setup');
  expect(pagewright.image).toBe(`pagewright:${packageJson.version}`);
  expect(postgres.image).toBe('postgres:18');
});

const root = 'deploy/kubernetes';
const kustomizationSchema = z.object({
  resources: z.array(z.string()),
  configMapGenerator: z.array(z.object({ literals: z.array(z.string()) })).default([]),
  images: z.array(z.object({ name: z.string(), newTag: z.string() })).default([]),
});
const kustomization = kustomizationSchema.parse(parse(read(`${root}/kustomization.yaml`)));
const kinds = { Deployment, HorizontalPodAutoscaler, PodDisruptionBudget, Service };
const kindSchema = z.looseObject({
  kind: z.enum(['Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'Service']),
});

const manifests = globSync(`${root}/**/*.yaml`)
  .filter((path) => !path.endsWith('kustomization.yaml'))
  .flatMap((path) =>
    parseAllDocuments(read(path)).map((document) => ({ path, resource: kindSchema.parse(document.toJS()) })),
  );

describe('the manifests for Kubernetes', () => {
  test.each(manifests)('$resource.kind of $path fits the schema of Kubernetes', ({ resource }) => {
    const { apiVersion, ...rest } = resource;
    const made = new kinds[resource.kind](rest as never);
    expect(made.apiVersion).toBe(apiVersion);
    expect(() => made.validate()).not.toThrow();
  });

  test('a manifest that does not fit is noticed', () => {
    expect(() => new Service({ spec: { ports: [{ name: 'http' }] } } as never).validate()).toThrow('port');
  });

  test('every file is a resource of a kustomization', () => {
    const extra = kustomizationSchema.parse(parse(read(`${root}/autoscaling/kustomization.yaml`)));
    const named = [
      ...kustomization.resources.map((name) => join(root, name)),
      ...extra.resources.map((name) => join(root, 'autoscaling', name)),
    ];
    expect(named.toSorted()).toEqual([root, ...new Set(manifests.map(({ path }) => path))].toSorted());
    expect(kustomization.images).toEqual([{ name: 'pagewright', newTag: packageJson.version }]);
  });

  const environmentSchema = z.array(z.object({ name: z.string(), value: z.string() }));
  test.each(['web', 'worker'])('the environment of %s is one that the service starts with', (role) => {
    const found = manifests.find(
      ({ path, resource }) => path.endsWith(`${role}.yaml`) && resource.kind === 'Deployment',
    );
    const pod = z
      .object({
        spec: z.object({
          template: z.object({
            spec: z.looseObject({
              securityContext: z.looseObject({ runAsUser: z.number() }),
              containers: z.array(z.looseObject({ env: environmentSchema })),
            }),
          }),
        }),
      })
      .parse(found?.resource).spec.template.spec;
    const literals = Object.fromEntries(
      (kustomization.configMapGenerator[0]?.literals ?? []).map((line) => line.split(/=(.*)/s)),
    );
    const own = Object.fromEntries((pod.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));
    const environment = { ...literals, ...own, ...secrets };
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const start = parseStart(environment);
    expect(start.kind === 'ready' && start.config.role).toBe(role);
    expect(argumentsOf('USER')).toEqual([String(pod.securityContext.runAsUser)]);
  });

  test('the autoscaler looks at a metric that the service has', () => {
    const names = [...read(`${root}/autoscaling/worker-autoscaler.yaml`).matchAll(/name: (pagewright_\w+)/g)];
    expect(names).toHaveLength(1);
    const metrics = globSync('src/metrics/*.ts').map(read).join('\n');
    for (const [, name] of names) expect(metrics).toContain(`'${name}'`);
  });
});

test.each([
  [
    'nginx.conf',
    ['client_max_body_size 25m;', 'proxy_buffering off;', 'ssl_certificate ', 'proxy_set_header Host $http_host;'],
  ],
  ['Caddyfile', ['max_size 25MB', 'flush_interval -1', 'pagewright.example.com {']],
])('deploy/%s passes on the largest webhook, streams, and the host', (name, directives) => {
  const sample = read(join('deploy', name));
  for (const directive of directives) expect(sample).toContain(directive);
});
