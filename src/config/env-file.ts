import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from './config-error.ts';

/** The variables of `.env` in the working directory; none without it. Throws `ConfigError` for a file that no editor wrote as UTF-8. */
export function readEnvFile(path = '.env'): Record<string, string> {
  if (!existsSync(path)) return {};
  const text = readFileSync(path, 'utf8');
  // Windows' editors write UTF-16, or a mark before the first name.
  if (text.includes('\0')) throw new ConfigError([`${path}: is not UTF-8: save it as UTF-8`]);
  const variables = parseEnv(text.replace(/^\uFEFF/, ''));
  return Object.fromEntries(Object.entries(variables).map(([name, value = '']) => [name, value]));
}
