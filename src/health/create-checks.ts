import type { Config, ServiceSettings } from '../config/config.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { UserAuthorization } from '../github/auth/user-authorization.ts';
import {
  createContextCheck,
  createDatabaseCheck,
  createDatabaseDiskCheck,
  createUnusedDatabaseCheck,
  type InspectDatabase,
} from './check-database.ts';
import {
  createAppCheck,
  createInstallationsCheck,
  createPermissionsCheck,
  createSignInCheck,
  createWebhooksCheck,
} from './check-github.ts';
import { createFolderCheck, createGitCheck, createSecretFilesCheck, nodeCheck } from './check-machine.ts';
import { createModelCheck } from './check-model.ts';
import { createClockCheck, createOutboundCheck, createPublicUrlCheck } from './check-network.ts';
import type { HealthCheck } from './finding.ts';
import type { ServicePart } from './health.ts';

/** Costs a request to GitHub and one to the model server, and no tokens. A process of `ROLE=web` asks no model and edits no files. */
export function createChecks(options: {
  config: { role: Config['role']; dataDir: string; openai: Config['openai'] };
  github: { readApp: GitHubApp['readApp'] };
  hasDatabaseRoom: () => Promise<boolean>;
}): HealthCheck<ServicePart>[] {
  const { config, github, hasDatabaseRoom } = options;
  const { role, dataDir, openai } = config;
  const checks = [
    createAppCheck(github, { isOperatorAsking: false }),
    createPermissionsCheck(github),
    createDatabaseDiskCheck(hasDatabaseRoom),
  ];
  if (role === 'web') return checks;
  return [...checks, createModelCheck(openai, { isOperatorAsking: false }), createFolderCheck(dataDir)];
}

interface MachineParts {
  config: { role: ServiceSettings['role']; dataDir: string };
  environment: NodeJS.ProcessEnv;
  readGitVersion: (signal: AbortSignal) => Promise<string>;
}

interface ServiceParts {
  config: ServiceSettings;
  github: GitHubApp | undefined;
  /** null: the App's client id and secret are not set. */
  authorization: { checkCredentials: UserAuthorization['checkCredentials'] } | null;
  inspectDatabase: InspectDatabase;
  findUnusedDatabase: () => string | undefined;
}

/** Everything that must be right before the first instruction, in the order in which an operator corrects it. */
export const createAllChecks = (parts: MachineParts & ServiceParts): HealthCheck[] => [
  ...createMachineChecks(parts),
  ...createServiceChecks(parts),
];

/** What can be checked without a whole configuration. */
export const createMachineChecks = ({
  config: { role, dataDir },
  environment,
  readGitVersion,
}: MachineParts): HealthCheck[] => [
  nodeCheck,
  ...(role === 'web' ? [] : [createGitCheck(readGitVersion), createFolderCheck(dataDir)]),
  createSecretFilesCheck(dataDir),
  createOutboundCheck(environment),
];

export const createServiceChecks = ({
  config: { role, openai, github: hosts, publicUrl },
  github,
  authorization,
  inspectDatabase,
  findUnusedDatabase,
}: ServiceParts): HealthCheck[] => [
  createDatabaseCheck(inspectDatabase),
  createContextCheck(inspectDatabase),
  createUnusedDatabaseCheck(findUnusedDatabase),
  createClockCheck(hosts.apiUrl),
  ...(role === 'web' ? [] : [createModelCheck(openai, { isOperatorAsking: true })]),
  createPublicUrlCheck(publicUrl),
  ...(github
    ? [
        createAppCheck(github, { isOperatorAsking: true }),
        createPermissionsCheck(github),
        createInstallationsCheck(github),
        createWebhooksCheck({ github, publicUrl }),
        ...(role === 'worker' ? [] : [createSignInCheck(authorization?.checkCredentials ?? null)]),
      ]
    : []),
];
