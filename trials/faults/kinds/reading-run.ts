import { call } from '../../../harness/script-steps.ts';
import type { RunKind } from './kind.ts';

export const limitOfCode = 'export const limitOfTheCode = 100;\n';

/** The context repository of a project: `plain-400-code/api` of `plain-400/docs`. */
export function codeOf(documentation: string) {
  const owner = `${documentation.split('/')[0]}-code`;
  return { owner, name: 'api', fullName: `${owner}/api` };
}

export const readingRun: RunKind = {
  name: 'read the code',
  project: 'plain',
  leaves: 'limit.md',
  play({ turn }, { fullName }) {
    if (turn === 0) return call('read_file', { path: `@${codeOf(fullName).fullName}/src/limit.ts` });
    if (turn === 1) return call('write_file', { path: 'limit.md', content: '# Limit\n\nThere is one.\n' });
    return call('finish', { summary: 'Write the limit.', title: 'Write the limit' });
  },
};
