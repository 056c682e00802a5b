import type { DeliveryParts } from '../../src/deliveries/delivery-context.ts';
import { createWriteAccess } from '../../src/deliveries/instructions/write-access.ts';
import { reconcile } from '../../src/deliveries/reconcile/reconcile.ts';
import { redeliverMissed } from '../../src/deliveries/reconcile/redeliver-missed.ts';
import type { AnswerParts } from '../../src/effects/give-answer.ts';
import { createAccessPool } from '../../src/github/auth/access-pool.ts';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import type { Transport } from '../../src/github/client/transport.ts';
import type { Limit } from '../../src/github/limits/rate-limit.ts';
import { createLog } from '../../src/log.ts';
import { createOpenProject } from '../../src/projects/open-project.ts';
import { createRoles } from '../../src/projects/roles.ts';
import { takeStepDirectly } from '../../src/steps.ts';
import { blockInstallation } from '../../src/store/tables/repositories/installations.ts';
import { createRedactor } from '../../src/text/redact.ts';
import { realTiming } from '../../src/timing.ts';
import { noChanges } from '../support/values/no-changes.ts';
import type { World } from '../support/worlds/world.ts';

/** What deliveries are processed and answers given with in a world, as the service builds it; `lines` gets what is logged. */
export function createParts(
  world: World,
  {
    lines = [],
    tokensPerMonth = 0,
    ...transport
  }: { lines?: string[]; tokensPerMonth?: number } & Pick<Transport, 'retryDelaysMs' | 'admit'> = {},
): DeliveryParts & AnswerParts {
  const { APP_ID: appId = '', PRIVATE_KEY: privateKey = '' } = world.environment;
  const { apiUrl, webUrl } = world.github;
  const { store, database } = world.database;
  const secrets = createRedactor([privateKey]);
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'info', redact: secrets.redact, destination });
  const onLimited = (installationId: number, { until }: Limit) => blockInstallation(database, installationId, until);
  const github = createGitHubApp({ appId, privateKey, apiUrl, webUrl, onLimited, ...transport });
  const openProject = createOpenProject({ database, github, accesses: createAccessPool({ github, secrets }) });
  return {
    ...store,
    threads: { run: async ({ work }, input) => work(input) },
    github,
    secrets,
    openProject,
    changes: noChanges,
    ...createWriteAccess({ roles: createRoles({ openProject }), log }),
    timing: realTiming,
    limits: { rateLimit: 0, tokensPerMonth },
    models: ['gpt-test'],
    takeStep: takeStepDirectly,
    log,
  };
}

/** What the service does every ten minutes about what it was not told. */
export async function catchUp(parts: DeliveryParts, signal = new AbortController().signal): Promise<void> {
  await redeliverMissed(parts, signal);
  await reconcile(parts, signal);
}
