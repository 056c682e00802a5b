import { type Config, parseConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../log.ts';
import { takeStepDirectly } from '../../steps.ts';
import type { Store } from '../../store/store.ts';
import { runInline } from '../../threads/threads.ts';
import { findUserName } from '../jobs/find-user-name.ts';
import { openCommandStore } from '../open-command-store.ts';
import type { AutomationsCommand } from './automations-command.ts';
import { runAutomationsCommand } from './run-automations-command.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function automations(command: AutomationsCommand, signal: AbortSignal): Promise<string[]> {
  const config = parseConfig(readEnvironment(), 'keys');
  await using cleanup = new AsyncDisposableStack();
  const { database, openStore } = await openCommandStore({ ...config, signal }, cleanup);
  const openAutomations = (store: Store) => createParts(config, store, cleanup);
  const author = findUserName(process.env);
  return await runAutomationsCommand({ database, openStore, openAutomations, author, signal }, command);
}

/** Loads GitHub's client when it is asked: only a run needs it. */
async function createParts(config: Config, store: Store, cleanup: AsyncDisposableStack) {
  const { createAutomations } = await import('../../automations/create-automations.ts');
  const { createChangeReader } = await import('../../context/changes/create-change-reader.ts');
  const { createAccessPool } = await import('../../github/auth/access-pool.ts');
  const { createGitHubApp } = await import('../../github/auth/app.ts');
  const { createOpenProject } = await import('../../projects/open-project.ts');
  const { database } = store;
  const { webUrl } = config.github;
  const github = createGitHubApp(config.github);
  const accesses = cleanup.use(createAccessPool({ github, secrets: noRedaction }));
  const openProject = createOpenProject({ database, github, accesses });
  const shared = { database, github, secrets: noRedaction, openProject, webUrl };
  return createAutomations({
    ...store,
    ...shared,
    runTask: runInline,
    changes: createChangeReader({ ...shared, threads: { run: async ({ work }, input) => work(input) } }),
    models: config.openai.models,
    limits: { ...config.projectLimits, rateLimit: 0 },
    runsPerDay: config.automationRunsPerDay,
    takeStep: takeStepDirectly,
    log: createLog({ level: 'silent', redact: (line) => line }),
  });
}

/** The command line logs nothing. */
const noRedaction = { hide: () => {}, forget: () => {} };
