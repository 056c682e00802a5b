import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSite } from '../docs/read-site.ts';
import { startGitHub } from '../github/start-github.ts';
import type { Script } from '../model/script.ts';
import { startModelServer } from '../model/start-model-server.ts';
import { code, codeName } from './automation-script.ts';
import { createCaller } from './caller.ts';
import { DemoFailure } from './demo-failure.ts';
import { demoScript, followUp, instruction } from './demo-script.ts';
import type { RealModel } from './find-real-model.ts';
import { print } from './print.ts';
import { readCommits, readDiff } from './read-diff.ts';
import { showAutomation } from './show-automation.ts';
import { showReview } from './show-review.ts';
import { showSidebar } from './show-sidebar.ts';
import { findObjections } from './sidebar-script.ts';
import { startService } from './start-service.ts';

/**
 * Runs the whole demo. However it ends, it leaves no process and no file. Throws the signal's reason on an abort, `DemoFailure` when the
 * run opens no pull request.
 */
export async function runDemo({
  realModel,
  ownInstruction = instruction,
  staysUp,
  signal,
}: {
  /** undefined: a script is the model. */
  realModel: RealModel | undefined;
  /** The instruction for a real model. */
  ownInstruction?: string | undefined;
  staysUp: boolean;
  signal: AbortSignal;
}): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-demo-'));
  // Retries: a git process that the same Ctrl-C ends may still write.
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

  print.heading('1. A local GitHub with two documentation repositories, code, a reviewer and the App installed');
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const webhookSecret = randomBytes(32).toString('hex');
  const clientSecret = randomBytes(20).toString('hex');
  const app = {
    id: 100_001,
    slug: 'pagewright',
    privateKey,
    webhookSecret,
    clientSecret,
    clientId: 'Iv23lipagewright',
    callbackUrls: ['http://127.0.0.1/auth/callback'],
  };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
  const repository = await github.addRepository({
    owner: 'acme',
    name: 'docs',
    files: await readSite(),
    private: false,
  });
  const handbook = await github.addRepository({
    owner: 'acme',
    name: 'cli-handbook',
    files: await readSite('vitepress-site'),
    private: false,
  });
  const [owner = '', name = ''] = codeName.split('/');
  const relay = await github.addRepository({ owner, name, files: code, private: false });
  github.addUser('rita');
  for (const { fullName } of [repository, handbook, relay]) github.setPermission(fullName, 'rita', 'maintain');
  github.install({ account: 'acme', repositories: 'all' });
  print.line(`  ${github.webUrl}/acme/docs\n  ${github.webUrl}/acme/cli-handbook\n  ${github.webUrl}/${codeName}`);
  signal.throwIfAborted();

  print.heading('2. Pagewright, with its embedded database, and an API key for acme/docs');
  if (realModel) print.line(`  ${realModel.description}`);
  const objections: string[] = [];
  const script: Script = (request) => {
    objections.push(...findObjections(request));
    return demoScript(request);
  };
  const model = realModel?.settings ?? {
    OPENAI_MODEL: 'demo-model',
    OPENAI_BASE_URL: cleanup.use(await startModelServer({ script })).url,
  };
  const service = cleanup.use(
    await startService({
      logFile: join(directory, 'service.log'),
      environment: {
        DATA_DIR: join(directory, 'data'),
        APP_ID: String(app.id),
        PRIVATE_KEY: privateKey,
        WEBHOOK_SECRET: webhookSecret,
        GITHUB_CLIENT_ID: app.clientId,
        GITHUB_CLIENT_SECRET: clientSecret,
        OPERATORS: 'rita',
        GITHUB_API_URL: github.apiUrl,
        GITHUB_URL: github.webUrl,
        ...model,
      },
      signal,
    }),
  );
  github.setWebhook(`${service.url}/api/github/webhooks`, webhookSecret);
  const project = JSON.parse(await service.keys('create', 'acme/docs', '--name', 'demo', '--json')) as {
    projectId: string;
    key: string;
  };
  print.line(`$ npx pagewright keys create acme/docs --name demo --json\n  {"projectId":"${project.projectId}", …}`);

  print.heading('3. An instruction: an agent edits the repository and opens a pull request');
  const caller = createCaller({ url: service.url, ...project, signal });
  const created = await caller.createJob(realModel ? ownInstruction : instruction);
  const first = await caller.follow(created.id, ['completed', 'failed']);
  if (first.prLink === null) {
    const { runs } = await caller.getRuns(created.id);
    throw new DemoFailure(`The run opened no pull request. ${runs[0]?.sentence ?? `The job is ${first.status}.`}`);
  }
  const number = Number(first.prLink.split('/').at(-1));
  const range = { from: repository.defaultBranch, to: first.source.ref };
  print.line(`\n  Pull request: ${first.prLink}\n`);
  print.diff(await readDiff(repository.gitDirectory, range));

  if (!realModel) {
    print.heading('4. A follow-up: a second commit on the same pull request');
    await caller.sendMessage(created.id, followUp);
    await caller.follow(created.id, ['completed', 'failed']);
    for (const commit of await readCommits(repository.gitDirectory, range)) print.line(`  ${commit}`);
    const job = { jobId: created.id, branch: first.source.ref, number };
    await showReview({ github, repository, caller, job, signal });
    await showSidebar({ service, github, repository: handbook, objections, signal });
    await showAutomation({ service, github, repository: handbook, signal });
  }

  if (staysUp) {
    print.heading('Everything keeps running. Press Ctrl-C to stop');
    print.line(`  Dashboard     ${service.url}   (sign in as rita)`);
    print.line(`  GitHub        ${github.webUrl}/acme/docs`);
    print.line(`  Pull request  ${first.prLink}   (comment, review, merge or close it as rita)`);
    print.line(`  API           ${service.url}/v2/agent/${project.projectId}/job   key: ${project.key}`);
    if (!realModel) print.line('  The model is a script: it knows only the instructions of the demo.');
    if (!signal.aborted) await once(signal, 'abort');
    signal.throwIfAborted();
  }
  print.heading(`${realModel ? 4 : 10}. A person merges the pull request: the job is archived`);
  await github.asPerson('rita').mergePullRequest(repository.fullName, number);
  print.line('  rita merged the pull request');
  await caller.follow(created.id, ['archived']);
  print.heading('Done');
  print.line('  Click through all of it:         npm run demo -- --stay');
  print.line('  Use it on your repository:       npx pagewright init');
  print.line('  Step by step:                    docs/getting-started.md');
}
