import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parse, parseDocument } from 'yaml';
import { z } from 'zod';

const manifestSchema = z.looseObject({
  name: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});

const text = readFileSync(join(import.meta.dirname, '../../app.yml'), 'utf8');

/** app.yml: what the GitHub App is registered with. */
export const appManifest = manifestSchema.parse(parse(text));

/** What waits until an owner grants a permission or an event that the App did not always have; all else works without it. */
export const waitingFeatures: Record<string, string> = {
  checks: 'failing checks and "Pagewright docs"',
  statuses: 'failing statuses and their previews',
  actions: 'logs of failing checks',
  deployments: 'previews of deployments',
  check_run: 'failing checks and "Pagewright docs"',
  check_suite: 'failing checks',
  status: 'failing statuses and their previews',
  deployment_status: 'previews of deployments',
};

/** Why the App needs each permission, as the comments of app.yml say. */
export const permissionReasons: Record<string, string> = readReasons();

function readReasons(): Record<string, string> {
  const permissions = parseDocument(text).get('default_permissions');
  if (!isMap(permissions)) return {};
  return Object.fromEntries(
    permissions.items.map(({ key, value }) => [
      String(key),
      toSentence((isScalar(value) ? value.comment : null) ?? ''),
    ]),
  );
}

function toSentence(comment: string): string {
  return comment.trim().replace(/^./, (letter) => letter.toUpperCase());
}
