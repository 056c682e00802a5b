import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Its hash is in the policy of the page. */
export const referenceCss = readFileSync(join(import.meta.dirname, 'reference.css'), 'utf8');
