import { z } from 'zod';

/** A permission's name in the API and its level, as in `{ contents: 'write' }`. */
export type Permissions = Readonly<Record<string, 'read' | 'write' | 'admin'>>;

/** Drops unknown levels, as if they were not granted. */
export const permissionsSchema = z
  .record(z.string(), z.string())
  .default({})
  .transform((permissions): Permissions => {
    const parsed = Object.entries(permissions).map(
      ([name, level]) => [name, levelSchema.safeParse(level).data] as const,
    );
    return Object.fromEntries(parsed.flatMap(([name, level]) => (level === undefined ? [] : [[name, level]])));
  });

const levelSchema = z.enum(['read', 'write', 'admin']);
const levels: readonly string[] = levelSchema.options;

/** `accepted` is `X-Accepted-GitHub-Permissions`: alternatives separated by semicolons. Returns the shortest list of missing `name=level`.
 * https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#insufficient-permissions */
export function findMissingPermissions(accepted: string, granted: Permissions): string[] {
  const alternatives = accepted.split(';').map((alternative) =>
    alternative
      .split(',')
      .map((permission) => permission.trim())
      .filter((permission) => permission !== '' && !isGranted(permission, granted)),
  );
  return alternatives.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function isGranted(permission: string, granted: Permissions): boolean {
  const [name = '', level = ''] = permission.split('=');
  if (name === 'allows_permissionless_access') return true;
  return levels.indexOf(granted[name] ?? '') >= levels.indexOf(level) && granted[name] !== undefined;
}
