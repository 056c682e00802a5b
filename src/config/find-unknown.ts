import { findNearestName } from '../find-nearest-name.ts';
import { readEnvFile } from './env-file.ts';
import { variables } from './variables.ts';

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
