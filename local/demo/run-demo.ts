import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSite } from '../docs/read-site.ts';
import { startGitHub } from '../github/start-github.ts';
import { startModelServer } from '../model/start-model-server.ts';
import { createCaller } from './caller.ts';
import { DemoFailure } from './demo-failure.ts';
import { demoScript, followUp, instruction } from './demo-script.ts';
import type { RealModel } from './find-real-model.ts';
import { print } from './print.ts';
import { readCommits, readDiff } from './read-diff.ts';
import { showReview } from './show-review.ts';
import { startService } from './start-service.ts';

/**
 * The demo from its first heading to its last. However it ends, what it started has ended and what it wrote is gone. An abort throws
 * the signal's reason; `DemoFailure` when no pull request came out.
 */
export async function runDemo({
  realModel,
  wish = instruction,
  isStaying,
  signal,
}: {
  /** undefined: a script plays the model's part. */
  realModel: RealModel | undefined;
  /** What a real model is asked. */
  wish?: string | undefined;
  isStaying: boolean;
  signal: AbortSignal;
}): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-demo-'));
  // Tries again for a while: a git that the same Ctrl-C ends may write a little longer.
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

  print.heading('1. A GitHub on this laptop, with a documentation site, a reviewer, and the App installed');
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const webhookSecret = randomBytes(32).toString('hex');
  const app = { id: 100_001, slug: 'pagewright', privateKey, webhookSecret };
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github'), app }));
  const repository = await github.addRepository({
    owner: 'acme',
    name: 'docs',
    files: await readSite(),
    private: false,
  });
  github.addUser('rita');
  github.setPermission(repository.fullName, 'rita', 'write');
  github.install({ account: 'acme', repositories: 'all' });
  print.line(`  ${github.webUrl}/acme/docs`);
  signal.throwIfAborted();

  print.heading('2. Pagewright, with its embedded database, and an API key for acme/docs');
  if (realModel) print.line(`  ${realModel.description}`);
  const model = realModel?.settings ?? {
    OPENAI_MODEL: 'demo-model',
    OPENAI_BASE_URL: cleanup.use(await startModelServer({ script: demoScript })).url,
  };
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
        ...model,
      },
      signal,
    }),
  );
  github.setWebhook(`${service.url}/api/github/webhooks`, webhookSecret);
  const made = JSON.parse(await service.keys('create', 'acme/docs', '--name', 'demo', '--json')) as {
    projectId: string;
    key: string;
  };
  print.line(`$ npm run -s keys -- create acme/docs --name demo --json\n  {"projectId":"${made.projectId}", …}`);

  print.heading('3. An instruction is sent; an agent edits in the background; a pull request comes out');
  const caller = createCaller({ url: service.url, ...made, signal });
  const created = await caller.createJob(realModel ? wish : instruction);
  const first = await caller.follow(created.id, ['completed', 'failed']);
  if (first.prLink === null) {
    const { runs } = await caller.getRuns(created.id);
    throw new DemoFailure(`No pull request came out. ${runs.at(-1)?.sentence ?? `The job is ${first.status}.`}`);
  }
  const number = Number(first.prLink.split('/').at(-1));
  const range = { from: repository.defaultBranch, to: first.source.ref };
  print.line(`\n  Pull request: ${first.prLink}\n`);
  print.diff(await readDiff(repository.gitDirectory, range));

  if (!realModel) {
    print.heading('4. A follow-up becomes a second commit on the same pull request');
    await caller.sendMessage(created.id, followUp);
    await caller.follow(created.id, ['completed', 'failed']);
    for (const commit of await readCommits(repository.gitDirectory, range)) print.line(`  ${commit}`);
    const job = { jobId: created.id, branch: first.source.ref, number };
    await showReview({ github, repository, caller, job, signal });
  }

  if (isStaying) {
    print.heading('Everything stays up; Ctrl-C ends it');
    print.line(`  GitHub        ${github.webUrl}/acme/docs`);
    print.line(`  Pull request  ${first.prLink}   (comment, review, merge or close it there, as rita)`);
    print.line(`  Pagewright    ${service.url}/v2/agent/${made.projectId}/job   key: ${made.key}`);
    if (!realModel) print.line('  The model is a script. It answers any other instruction by saying so.');
    if (!signal.aborted) await once(signal, 'abort');
    signal.throwIfAborted();
  }
  print.heading(`${realModel ? 4 : 7}. A person merges it; the job is archived`);
  await github.asPerson('rita').mergePullRequest(repository.fullName, number);
  print.line('  rita merged the pull request');
  await caller.follow(created.id, ['archived']);
  print.heading('Done');
}
