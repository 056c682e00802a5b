import { resolve } from 'node:path';
import { parseStart, readEnvironment } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { describeSource, findUnknownVariables } from '../../config/env-file.ts';
import { createGit, readGitVersion } from '../../git/git.ts';
import { createGitHubApp } from '../../github/auth/app.ts';
import { createUserAuthorization } from '../../github/auth/user-authorization.ts';
import { createMachineChecks, createServiceChecks } from '../../health/create-checks.ts';
import { type Examined, examine } from '../../health/examine.ts';
import { findUnusedCluster } from '../../store/embedded/cluster.ts';
import { openForInspection } from '../../store/open-database.ts';
import { noRedaction } from '../../text/redact.ts';
import { realTiming } from '../../timing.ts';
import type { CommandOptions, Outcome } from '../run-command.ts';
import { type DoctorCommand, formatExamined } from './doctor-command.ts';

/** Checks what the environment describes. Fails if something is broken. */
export async function doctor({ isJson, fix }: DoctorCommand, { signal, isColoured }: CommandOptions): Promise<Outcome> {
  const examined = await examineAll({ fix, signal });
  return {
    text: formatExamined(examined, { isJson, isColoured }),
    hasFailed: examined.some(({ state }) => state === 'broken'),
  };
}

async function examineAll({ fix, signal }: { fix: boolean; signal: AbortSignal }): Promise<Examined[]> {
  const environment = readOwnEnvironment();
  if (environment instanceof ConfigError) return environment.problems.map(describeProblem);
  const options = { signal, withinMs: realTiming.health.checkWithinMs, fix };
  // First, because the configuration cannot be read while others can read app.json.
  const machine = [
    ...(await examine(createMachineChecks(describeMachine(environment)), options)),
    ...findUnknownVariables(environment).map(describeUnknown),
  ];
  const configured = readStart(environment);
  if (configured instanceof ConfigError) return [...machine, ...configured.problems.map(describeProblem)];
  const settings = configured.kind === 'ready' ? configured.config : configured.settings;
  const app = configured.kind === 'ready' ? configured.config.github : undefined;
  await using database = await openForInspection(settings, { signal, mayStart: true });
  const checks = createServiceChecks({
    config: settings,
    github: app && createGitHubApp({ ...app }),
    authorization: app?.signIn ? createUserAuthorization({ ...app, ...app.signIn, secrets: noRedaction }) : null,
    inspectDatabase: database.inspect,
    findUnusedDatabase: () => findUnusedCluster(settings),
  });
  const found = await examine(checks, options);
  return [...machine, ...found, ...(app ? [] : [notRegistered])];
}

/** Reads an environment that may be wrong in other places. */
function describeMachine(environment: NodeJS.ProcessEnv) {
  const role = environment.ROLE === 'web' ? ('web' as const) : ('all' as const);
  return {
    config: { role, dataDir: resolve(environment.DATA_DIR || './data') },
    environment,
    readGitVersion: (signal: AbortSignal) => readGitVersion(createGit({ allowHttp: false }), signal),
  };
}

const readOwnEnvironment = () => orConfigError(readEnvironment);
const readStart = (environment: NodeJS.ProcessEnv) => orConfigError(() => parseStart(environment));

function orConfigError<Result>(read: () => Result): Result | ConfigError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

const describeProblem = (problem: string): Examined => ({
  part: 'configuration',
  state: 'broken',
  detail: problem,
  todo: describeSource(),
});

const describeUnknown = (problem: string): Examined => ({
  part: 'configuration',
  state: 'warning',
  detail: problem,
  todo: 'Correct the name in the environment or in .env, or remove it.',
});

const notRegistered: Examined = {
  part: 'github_app',
  state: 'warning',
  detail: 'no App is registered',
  todo: 'Run pagewright start, and open the link to /setup in its log.',
};
