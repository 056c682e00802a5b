import { resolve } from 'node:path';
import { ConfigError } from './config.ts';
import { variables } from './variables.ts';

/** Where the data is, also without an App or a model server. A blank variable counts as not set. Throws `ConfigError`. */
export function readPlaces(environment: NodeJS.ProcessEnv): { dataDir: string; databaseUrl: string | null } {
  const filled = Object.entries(environment).filter(([, value]) => value?.trim());
  const { data, error } = variables
    .pick({ DATA_DIR: true, DATABASE_URL: true })
    .safeParse(Object.fromEntries(filled.map(([name, value]) => [name, value?.trim()])));
  if (error) throw new ConfigError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
  return { dataDir: resolve(data.DATA_DIR), databaseUrl: data.DATABASE_URL };
}
