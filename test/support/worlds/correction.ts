import { edit, finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';

/** What most stories ask for: `limits.md` of the default files says 100 requests afterwards. */
export const correct = edit('limits.md', '60 requests', '100 requests');
export const done = finish('The limit is 100 now.', { title: 'Correct the limit', description: 'Says 100 requests.' });
export const oneRun = steps([correct, done]);
