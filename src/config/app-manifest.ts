import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const manifestSchema = z.looseObject({
  name: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});

/** app.yml: what the GitHub App is registered with. */
export const appManifest = manifestSchema.parse(
  parse(readFileSync(join(import.meta.dirname, '../../app.yml'), 'utf8')),
);
