import { ConfigError, parseStart, readEnvironment } from '../../config/config.ts';
import { createGit, readGitVersion } from '../../git/git.ts';
import { createGitHubApp } from '../../github/auth/app.ts';
import { createSecretFilesCheck } from '../../health/check-machine.ts';
import { createAllChecks } from '../../health/create-checks.ts';
import { type Examined, examine } from '../../health/examine.ts';
import { findUnusedCluster } from '../../store/embedded/retired.ts';
import { openForInspection } from '../../store/open-for-inspection.ts';
import { realTiming } from '../../timing.ts';
import { type DoctorCommand, formatExamined } from './doctor-command.ts';

/** Checks what the environment describes. Returns what to print, and whether something is broken. */
export async function doctor(
  { isJson, fix }: DoctorCommand,
  { signal, isColoured }: { signal: AbortSignal; isColoured: boolean },
): Promise<{ text: string; isBroken: boolean }> {
  const examined = await examineAll({ fix, signal });
  return {
    text: formatExamined(examined, { isJson, isColoured }),
    isBroken: examined.some(({ state }) => state === 'broken'),
  };
}

async function examineAll({ fix, signal }: { fix: boolean; signal: AbortSignal }): Promise<Examined[]> {
  const environment = readEnvironment();
  const options = { signal, withinMs: realTiming.health.checkWithinMs, fix };
  // The configuration cannot be read while others can read app.json.
  const files = fix ? await examine([createSecretFilesCheck(environment.DATA_DIR ?? './data')], options) : [];
  const configured = readStart(environment);
  if (configured instanceof ConfigError) return [...files, ...configured.problems.map(describeProblem)];
  const settings = configured.kind === 'ready' ? configured.config : configured.settings;
  const app = configured.kind === 'ready' ? configured.config.github : undefined;
  await using database = await openForInspection(settings, { signal, mayStart: true });
  const checks = createAllChecks({
    config: settings,
    environment,
    github: app && createGitHubApp({ ...app }),
    readGitVersion: (stopped) => readGitVersion(createGit({ allowHttp: false }), stopped),
    inspectDatabase: database.inspect,
    findUnusedDatabase: () => findUnusedCluster(settings),
  });
  const found = await examine(checks, options);
  return app ? found : [...found, notRegistered];
}

function readStart(environment: NodeJS.ProcessEnv) {
  try {
    return parseStart(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

const describeProblem = (problem: string): Examined => ({
  part: 'configuration',
  state: 'broken',
  detail: problem,
  todo: 'Change it in the environment or in .env.',
});

const notRegistered: Examined = {
  part: 'github_app',
  state: 'warning',
  detail: 'no App is registered',
  todo: 'Run pagewright start, and open the link to /setup in its log.',
};
