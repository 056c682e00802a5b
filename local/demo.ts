import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCaller } from './demo/caller.ts';
import { demoScript, followUp, instruction } from './demo/demo-script.ts';
import { print } from './demo/print.ts';
import { readCommits, readDiff } from './demo/read-diff.ts';
import { startService } from './demo/start-service.ts';
import { readSite } from './docs/read-site.ts';
import { startGitHub } from './github/start-github.ts';
import { startModelServer } from './model/start-model-server.ts';

const usage = `npm run demo [-- [--stay] ["an instruction for a real model"]]

  --stay   keep everything up afterwards, to click through; Ctrl-C ends it
  With OPENAI_API_KEY (and OPENAI_MODEL, OPENAI_BASE_URL) set, that model does the work, on the instruction given here.
`;

const { values, positionals } = parseArgs({
  options: { stay: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  allowPositionals: true,
});
if (values.help) {
  print.line(usage);
  process.exit(0);
}
const { OPENAI_API_KEY: realKey, OPENAI_MODEL, OPENAI_BASE_URL, OPENAI_API } = process.env;
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());

await using cleanup = new AsyncDisposableStack();
const directory = await mkdtemp(join(tmpdir(), 'pagewright-demo-'));
cleanup.defer(() => rm(directory, { recursive: true, force: true }));

print.heading('1. A GitHub on this laptop, with a documentation site, a reviewer, and the App installed');
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const webhookSecret = randomBytes(32).toString('hex');
const app = { id: 100_001, slug: 'pagewright', privateKey, webhookSecret };
const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
const repository = await github.addRepository({ owner: 'acme', name: 'docs', files: await readSite() });
github.addUser('rita');
github.setPermission(repository.fullName, 'rita', 'write');
github.install({ account: 'acme', repositories: 'all' });
print.line(`  ${github.webUrl}/acme/docs`);

print.heading('2. Pagewright, with its embedded database, and an API key for acme/docs');
const model = realKey
  ? { OPENAI_API_KEY: realKey, OPENAI_MODEL: OPENAI_MODEL ?? 'gpt-5', OPENAI_BASE_URL, OPENAI_API }
  : { OPENAI_MODEL: 'demo-model', OPENAI_BASE_URL: cleanup.use(await startModelServer({ script: demoScript })).url };
const service = cleanup.use(
  await startService({
    logFile: join(directory, 'service.log'),
    environment: {
      DATA_DIR: join(directory, 'data'),
      APP_ID: String(app.id),
      PRIVATE_KEY: privateKey,
      WEBHOOK_SECRET: webhookSecret,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_URL: github.webUrl,
      ...Object.fromEntries(Object.entries(model).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    },
  }),
);
github.setWebhook(`${service.url}/api/github/webhooks`, webhookSecret);
const made = JSON.parse(await service.keys('create', 'acme/docs', '--name', 'demo', '--json')) as {
  projectId: string;
  key: string;
};
print.line(`$ npm run -s keys -- create acme/docs --name demo --json\n  {"projectId":"${made.projectId}", …}`);

print.heading('3. An instruction is sent; an agent edits in the background; a pull request comes out');
const caller = createCaller({ url: service.url, ...made });
const asked = realKey ? (positionals[0] ?? instruction) : instruction;
const created = await caller.createJob(asked);
const first = await caller.follow(created.id, ['completed', 'failed']);
if (first.prLink === null) {
  print.json(await caller.getRuns(created.id));
  throw new Error('no pull request came out: the run above says why');
}
const range = { from: repository.defaultBranch, to: first.source.ref };
print.line(`\n  Pull request: ${first.prLink}\n`);
print.diff(await readDiff(repository.gitDirectory, range));

if (!realKey) {
  print.heading('4. A follow-up becomes a second commit on the same pull request');
  await caller.sendMessage(created.id, followUp);
  await caller.follow(created.id, ['completed', 'failed']);
  for (const commit of await readCommits(repository.gitDirectory, range)) print.line(`  ${commit}`);
}

if (values.stay) {
  print.heading('Everything stays up; Ctrl-C ends it');
  print.line(`  GitHub      ${github.webUrl}/acme/docs`);
  print.line(`  Pull request ${first.prLink}   (merge or close it there)`);
  print.line(`  Pagewright  ${service.url}/v2/agent/${made.projectId}/job   key: ${made.key}`);
  if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort');
} else {
  print.heading('5. A person merges it; the job is archived');
  await github.asPerson('rita').mergePullRequest(repository.fullName, Number(first.prLink.split('/').at(-1)));
  print.line('  rita merged the pull request');
  await caller.follow(created.id, ['archived']);
}
print.heading('Done');
