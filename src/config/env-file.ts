import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
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

/** Where the variables of this process come from, and how to set them. */
export const describeSource = (path = resolve('.env')): string =>
  existsSync(path)
    ? `Correct ${path} or the environment. pagewright init asks for the model and the address, and tests them.`
    : `There is no ${path}: run pagewright init, which asks for the model and the address, or run this in the folder that has it.`;
