import { LRUCache } from 'lru-cache';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { BranchRule } from '../../github/calls/rule-calls.ts';
import type { ReadBranchRules } from '../run-context.ts';

/** Spares requests of successive runs on one pull request. A rule that is newer than the cache takes effect at the push. */
const keptMs = 5 * 60_000;

export function createBranchRules(): ReadBranchRules {
  const cache = new LRUCache<string, BranchRule[]>({ max: 1_000, ttl: keptMs });
  return Object.assign(read, { forget });

  async function read(
    client: RepositoryClient,
    { repositoryId, branch, withBypassed = false }: { repositoryId: number; branch: string; withBypassed?: boolean },
  ): Promise<BranchRule[]> {
    const key = `${repositoryId} ${withBypassed} ${branch}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const rules = await client.listBranchRules(branch);
    const found = withBypassed ? rules : await leaveOutBypassed(client, rules);
    cache.set(key, found);
    return found;
  }

  function forget(repositoryId: number): void {
    for (const key of cache.keys()) if (key.startsWith(`${repositoryId} `)) cache.delete(key);
  }
}

async function leaveOutBypassed(client: RepositoryClient, rules: BranchRule[]): Promise<BranchRule[]> {
  const bypassed = new Set<number>();
  for (const rulesetId of new Set(rules.flatMap((rule) => rule.rulesetId ?? []))) {
    if (await client.canBypassRuleset(rulesetId)) bypassed.add(rulesetId);
  }
  return rules.filter(({ rulesetId }) => rulesetId === null || !bypassed.has(rulesetId));
}
