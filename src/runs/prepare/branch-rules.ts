import { LRUCache } from 'lru-cache';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { BranchRule } from '../../github/calls/rule-calls.ts';

export interface ReadBranchRules {
  /** The rules of a branch; those that the App may bypass only where they are asked for as well. */
  (
    client: RepositoryClient,
    given: { repositoryId: number; branch: string; withBypassed?: boolean },
  ): Promise<BranchRule[]>;
  /** The repository's rules turned out to be others than were kept: they are read anew. */
  forget(repositoryId: number): void;
}

/** A run after another on one pull request need not ask again; what changed since, the push tells. */
const keptMs = 5 * 60_000;

/** Reads rules, and keeps them for five minutes; none of the branch asked for stays unread. */
export function createBranchRules(): ReadBranchRules {
  const kept = new LRUCache<string, BranchRule[]>({ max: 1_000, ttl: keptMs });
  return Object.assign(read, { forget });

  async function read(
    client: RepositoryClient,
    { repositoryId, branch, withBypassed = false }: { repositoryId: number; branch: string; withBypassed?: boolean },
  ): Promise<BranchRule[]> {
    const key = `${repositoryId} ${withBypassed} ${branch}`;
    const known = kept.get(key);
    if (known) return known;
    const rules = await client.listBranchRules(branch);
    const found = withBypassed ? rules : await leaveOutBypassed(client, rules);
    kept.set(key, found);
    return found;
  }

  function forget(repositoryId: number): void {
    for (const key of kept.keys()) if (key.startsWith(`${repositoryId} `)) kept.delete(key);
  }
}

async function leaveOutBypassed(client: RepositoryClient, rules: BranchRule[]): Promise<BranchRule[]> {
  const bypassed = new Set<number>();
  for (const rulesetId of new Set(rules.flatMap((rule) => rule.rulesetId ?? []))) {
    if (await client.canBypassRuleset(rulesetId)) bypassed.add(rulesetId);
  }
  return rules.filter(({ rulesetId }) => rulesetId === null || !bypassed.has(rulesetId));
}
