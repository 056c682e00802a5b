import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createGitClient } from '../../../harness/git-client.ts';
import { finish, write } from '../../../harness/script-steps.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { sampleKeys } from '../../support/values/sample-keys.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const settingsPath = '.github/pagewright.yml';
const page = 'limits.md';
const corrected = '# Limits\n\n100 requests per minute.\n';

const code: Record<string, string> = {
  'src/limit.ts': '// The limit\nexport const limit = 100;\n',
  'docs/limits.md': '# Limits\n\nSee [the code](../src/limit.ts).\n',
  'openapi.yaml': 'openapi: 3.1.0\n',
  '.env': 'TOKEN=secret\n',
  'config.ts': `export const token = '${sampleKeys['github token']}';\n`,
};

const evidence = (path: string) => ({ evidence: [{ page, claim: 'The limit is 100.', path, lines: '2' }] });

/** `<owner>/docs` with `context: [<owner>/api]`, and `<owner>/api` with these settings. */
async function open(
  owner: string,
  { consent, isPublic = false, files = code }: { consent?: string; isPublic?: boolean; files?: Record<string, string> },
) {
  const { github } = shop.world;
  const api = await github.addRepository({
    owner,
    name: 'api',
    files: { ...files, ...(consent !== undefined && { [settingsPath]: consent }) },
  });
  const there = await shop.createIn(owner, {
    'index.md': '# Acme\n',
    [page]: '# Limits\n\n60 requests per minute.\n',
    [settingsPath]: `context: [${owner}/api]\n`,
  });
  if (isPublic) shop.rita.publicizeRepository(`${owner}/docs`);
  return { ...there, api };
}

/** Keeps what the tools answered. */
function watch(script: Script) {
  const seen: string[] = [];
  const first: string[] = [];
  const watching: Script = (request) => {
    if (request.turn === 0) first.push(...request.messages.map(({ text }) => text));
    seen.push(...request.lastResults.map(({ output }) => output));
    return script(request);
  };
  return { seen, first, watching };
}

const readTip = async (gitDirectory: string) => (await createGitClient().run(gitDirectory, 'rev-parse', 'main')).trim();

const runShape = z.looseObject({
  code: z.string(),
  warnings: z.array(z.string()),
  evidence: z.array(z.looseObject({ page: z.string(), repository: z.string(), path: z.string(), url: z.string() })),
});
const readRun = async (job: { runs: () => Promise<unknown[]> }) => runShape.parse((await job.runs())[0]);

test('promise 37: a run reads a context repository, writes nothing there, and shows what its change rests on', async () => {
  const { create, github, api } = await open('reads', { consent: 'documentation: reads/docs\n' });
  const { seen, first, watching } = watch(
    steps([
      {
        calls: [
          { name: 'list_files', arguments: {} },
          { name: 'list_files', arguments: { path: '@reads/api' } },
          { name: 'read_file', arguments: { path: '@reads/api/src/limit.ts' } },
          { name: 'search', arguments: { pattern: 'limit = ', path: '@reads/api' } },
          { name: 'search', arguments: { pattern: 'limit', path: '@reads/api/src', glob: '*.ts', output: 'files' } },
          { name: 'outline', arguments: { path: '@reads/api/docs/limits.md' } },
          { name: 'find_references', arguments: { target: '@reads/api/src/limit.ts' } },
          { name: 'read_file', arguments: { path: '@reads/api/.env' } },
          { name: 'read_file', arguments: { path: '@reads/api/config.ts' } },
          { name: 'search', arguments: { pattern: 'token', path: '@reads/api' } },
          { name: 'read_file', arguments: { path: '@reads/other/a.ts' } },
          { name: 'write_file', arguments: { path: '@reads/api/src/limit.ts', content: 'x' } },
          { name: 'move_file', arguments: { from: page, to: '@reads/api/limits.md' } },
          { name: 'delete_file', arguments: { path: '@reads/api/docs/limits.md' } },
        ],
      },
      write(page, corrected),
      finish('The limit is 100.', evidence('@reads/api/src/limit.ts')),
    ]),
  );
  const job = await create('Correct the limit of reads.', [watching]);
  const number = await job.number();

  expect(first.join('\n')).toMatch(/<context-repository path="@reads\/api" commit="[0-9a-f]{40}">\n[\s\S]*TypeScript/);
  const [root, listed, read, found, files, outlined, references, ...refused] = seen;
  expect(root).toContain('@reads/api/ (another repository, only to read; ');
  expect(listed).toContain('@reads/api/src/limit.ts');
  expect(listed).not.toContain('.env');
  expect(read).toContain('export const limit = 100;');
  expect(found).toContain('@reads/api/src/limit.ts:2: export const limit = 100;');
  expect(files).toContain('@reads/api/src/limit.ts');
  expect(outlined).toContain('# Limits');
  expect(references).toContain('docs/limits.md');
  const [env, secret, search, other, ...writes] = refused;
  expect(env).toContain('may hold secrets');
  expect(secret).toContain('what looks like a secret');
  expect(search).toBe('no matches');
  expect(other).toContain('@reads/other cannot be read');
  for (const answer of writes.slice(0, 3)) expect(answer).toMatch(/another repository: it can be read/);

  const { body } = await github.pullRequest(number);
  const sha = await readTip(api.gitDirectory);
  const url = `${shop.world.github.webUrl}/reads/api/blob/${sha}/src/limit.ts#L2`;
  expect(body).toContain(`## Evidence\n\n- \`limits.md\`: The limit is 100. ([\`reads/api/src/limit.ts:2\`](${url}))`);
  expect(await readRun(job)).toMatchObject({
    code: 'published',
    warnings: [],
    evidence: [
      { page, claim: 'The limit is 100.', repository: 'reads/api', path: 'src/limit.ts', lines: '2', commit: sha, url },
    ],
  });
  expect(await github.changedFiles((await github.branches())[0] ?? '')).toEqual([page]);
});
