import type { ApiKey } from '../store/tables/api-keys.ts';

/** A key as `list` shows it: of the secret, only how it ends. */
export function describeKey(apiKey: ApiKey, now: Date) {
  return {
    keyId: apiKey.key_id,
    name: apiKey.name,
    key: `pagewright_…${apiKey.last4}`,
    state: findState(apiKey, now),
    createdAt: apiKey.created_at.toISOString(),
    expiresAt: apiKey.expires_at?.toISOString() ?? null,
    lastUsedAt: apiKey.last_used_at?.toISOString() ?? null,
  };
}

/** The keys as lines with aligned columns, below a line of column heads. */
export function formatKeyTable(keys: ReturnType<typeof describeKey>[]): string[] {
  const rows = keys.map((key) => [
    key.keyId,
    key.name,
    key.key,
    key.state,
    formatDay(key.createdAt),
    formatDay(key.expiresAt),
    formatDay(key.lastUsedAt),
  ]);
  const table = [['KEY ID', 'NAME', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows];
  const widthOf = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd(),
  );
}

function findState(
  { revoked_at: revokedAt, expires_at: expiresAt }: ApiKey,
  now: Date,
): 'active' | 'revoked' | 'expired' {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

const formatDay = (moment: string | null) => moment?.slice(0, 10) ?? 'never';
