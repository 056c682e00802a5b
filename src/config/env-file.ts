import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { findNearestName } from '../find-nearest-name.ts';
import { ConfigError } from './config-error.ts';
import { variables } from './variables.ts';

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

const known: readonly string[] = Object.keys(variables.shape);
/** They begin no name of other programs. */
const ours = /^(?:OPENAI|WEBHOOK|RUN_MAX|PAGEWRIGHT)_/;
/** Read by examples, tests and the OpenAI SDK, or by other programs. */
const foreign = /^(?:PAGEWRIGHT_(?:URL|PROJECT|KEY)|OPENAI_(?:ORG_ID|PROJECT_ID|LOG|ADMIN_KEY)|.*_proxy)$/i;
/** In shorter names, most differences of a letter or two are other words: HOST and HOME. */
const leastLength = 6;

/**
 * Sentences about variables that nothing reads: those of `.env`, and those of the environment whose names are nearly ours. Programs share an
 * environment, so any other name may be somebody else's.
 */
export function findUnknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const written = readEnvFile();
  return Object.keys({ ...written, ...environment }).flatMap((name) => {
    if (known.includes(name) || foreign.test(name)) return [];
    const meant = name.length < leastLength ? undefined : findNearestName(name, known);
    if (meant !== undefined && meant.length >= leastLength) return [`${name} is unknown: did you mean ${meant}?`];
    return name in written && ours.test(name) ? [`${name} is unknown: nothing reads it`] : [];
  });
}
