import type { Automations } from '../../automations/create-automations.ts';
import { type AutomationState, describeAutomations } from '../../automations/describe-automations.ts';
import { pauseAutomation, resumeAutomation } from '../../automations/pause-automation.ts';
import { isTaken } from '../../automations/take-up.ts';
import type { Config } from '../../config/config.ts';
import { createSilentLog } from '../../log.ts';
import { takeStepDirectly } from '../../steps.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { Store } from '../../store/store.ts';
import { firstLine } from '../../text/bound.ts';
import { noRedaction } from '../../text/redact.ts';
import { writeMinute } from '../../text/write-minute.ts';
import { runInline } from '../../threads/threads.ts';
import { withoutControls } from '../jobs/format-event.ts';
import { openCommandStore, requireKnownProject } from '../open-command-store.ts';
import { type CommandOptions, findUserName, formatTable } from '../run-command.ts';
import type { AutomationsCommand } from './automations-command.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function automations(command: AutomationsCommand, { signal }: CommandOptions): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  const { config, database, openStore } = await openCommandStore(signal, cleanup);
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
    log: createSilentLog(),
  });
}

interface Parts {
  database: Database;
  /** Loaded when the command changes something. */
  openStore: () => Promise<Store>;
  openAutomations: (store: Store) => Promise<{ prepare: Automations['prepare']; run: Automations['run'] }>;
  /** Who runs the command. */
  author: string;
  signal: AbortSignal;
}

/** Runs the command and returns the lines to print. Throws an error whose message is one line for the operator. */
async function runAutomationsCommand(parts: Parts, command: AutomationsCommand): Promise<string[]> {
  const { isJson } = command;
  const projectId = await requireKnownProject(parts.database, command);
  if (command.kind === 'list') return list(await describeAutomations(parts.database, projectId), isJson);
  const key = { projectId, name: command.name };
  if (command.kind === 'run') return run(parts, command, key);
  const change = command.kind === 'pause' ? pauseAutomation : resumeAutomation;
  if (!(await change(await parts.openStore(), key))) throw unknown(command);
  const changed = (await describeAutomations(parts.database, projectId)).find(({ name }) => name === command.name);
  if (!changed) throw unknown(command);
  const { name, state, problem } = changed;
  if (isJson) return [JSON.stringify({ name, state, problem })];
  return [`${name} is ${state}${problem === null ? '' : `: ${withoutControls(problem)}`}`];
}

const unknown = ({ owner, repo, name }: { owner: string; repo: string; name: string }) =>
  new Error(`${owner}/${repo} has no automation ${name}: see pagewright automations list`);

async function run(
  { openStore, openAutomations, author, signal }: Parts,
  command: Extract<AutomationsCommand, { kind: 'run' }>,
  key: { projectId: string; name: string },
): Promise<string[]> {
  const store = await openStore();
  const automations = await openAutomations(store);
  const prepared = await automations.prepare({ key, pullRequest: command.pullRequest }, signal);
  if (prepared.kind === 'unknown') throw unknown(command);
  if (prepared.kind === 'paused') throw new Error(`${command.name} is paused: resume it first`);
  if (prepared.kind !== 'prepared') throw new Error(prepared.problem);
  const taken = await automations.run(store, prepared, { author });
  if (!isTaken(taken)) throw new Error(taken.kind === 'held' ? taken.problem : 'it is being run already: try again');
  const { job_id: jobId } = taken.job;
  return [command.isJson ? JSON.stringify({ jobId, isNew: taken.kind === 'created' }) : jobId];
}

/** The sentence of a run may be long; `--json` prints all of it. */
const longestReason = 100;

function list(automations: readonly AutomationState[], isJson: boolean): string[] {
  if (isJson) return [JSON.stringify({ automations })];
  if (automations.length === 0) return ['The settings have no automations.'];
  const rows = automations.map(({ name, state, waiting, nextRunAt, lastRun, problem }) => [
    name,
    state,
    String(waiting),
    nextRunAt === null ? '-' : writeMinute(nextRunAt),
    lastRun?.result ?? '-',
    withoutControls(firstLine(problem ?? lastRun?.sentence ?? '', longestReason)),
  ]);
  return formatTable([['NAME', 'STATE', 'WAITING', 'NEXT RUN (UTC)', 'LAST RUN', 'WHY'], ...rows]);
}
