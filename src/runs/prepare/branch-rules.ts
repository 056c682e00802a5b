import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { BranchRule } from '../../github/calls/rule-calls.ts';
import type { PushRestrictions } from '../../policy/write-rules.ts';
import type { PushRules } from '../checkout.ts';
import { RunFailure } from '../failures.ts';
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

/**
 * `rules`: of the job's branch, without those that the App may bypass. `baseRules`: all rules of the base, because the person who merges the
 * pull request may not bypass them. Rules about the change itself take effect at the push.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets
 */
export function evaluateRules(options: { rules: readonly BranchRule[]; baseRules: readonly BranchRule[] }): PushRules {
  const { rules, baseRules } = options;
  const has = (type: string) => (rule: BranchRule) => rule.type === type;
  return {
    // A base branch that requires signatures refuses to merge unsigned commits.
    isSigned: [...rules, ...baseRules].some(has('required_signatures')),
    isLinear: rules.some(has('required_linear_history')),
    forbid: readRestrictions(rules),
  };
}

interface Push {
  branch: string;
  isNew: boolean;
  /** The address of the commits' author. */
  email: string;
  /** GitHub signs the commits, and is their committer. */
  isSigned: boolean;
}

/** Returns `RunFailure` `branch_rules` where the rules refuse every push. `rules`: without those that the App may bypass. */
export function findRuleFailure(rules: readonly BranchRule[], push: Push): RunFailure | undefined {
  for (const rule of rules) {
    const obstacle = findObstacle(rule, push);
    if (obstacle === undefined) continue;
    return new RunFailure(
      'branch_rules',
      `A rule of the repository that applies to the branch ${push.branch} ${obstacle}. Exempt pagewright/** from it, or let the App bypass it.`,
    );
  }
  return undefined;
}

/** The rest of a sentence. Undefined where the rule allows a push, or only GitHub can evaluate it. */
function findObstacle({ type, parameters }: BranchRule, { branch, isNew, email, isSigned }: Push): string | undefined {
  const pattern = patternSchema.safeParse(parameters).data;
  const requires = (what: string, text: string) =>
    pattern && !isMatching(text, pattern) ? `requires ${what} that ${describe(pattern)}` : undefined;
  const requiresEmail = () => {
    const why = requires('author addresses', email);
    return why && `${why}, and the App’s is ${email}`;
  };
  switch (type) {
    case 'creation':
      return isNew ? 'forbids creating it' : undefined;
    case 'update':
      return 'forbids updating it';
    case 'pull_request':
      return 'allows changes to it only by pull request';
    case 'merge_queue':
      return 'allows changes to it only by a merge queue';
    // No check can have run on new commits: https://github.com/AlexanderMattTurner/agent-glovebox/pull/3230
    case 'required_status_checks':
      return isNew && checksSchema.parse(parameters).do_not_enforce_on_create
        ? undefined
        : 'requires checks to have passed before a push';
    case 'branch_name_pattern':
      return isNew ? requires('names', branch) : undefined;
    case 'commit_author_email_pattern':
      return requiresEmail();
    case 'committer_email_pattern':
      return isSigned ? undefined : requiresEmail();
    default:
      return undefined;
  }
}

const checksSchema = z.object({ do_not_enforce_on_create: z.boolean().catch(false) });

const patternSchema = z.object({
  operator: z.enum(['starts_with', 'ends_with', 'contains', 'regex']),
  pattern: z.string(),
  negate: z.boolean().default(false),
});
type Pattern = z.infer<typeof patternSchema>;

/** An untrusted regular expression could block the event loop, so GitHub evaluates it at the push. */
function isMatching(text: string, { operator, pattern, negate }: Pattern): boolean {
  if (operator === 'regex') return true;
  const is = {
    starts_with: text.startsWith(pattern),
    ends_with: text.endsWith(pattern),
    contains: text.includes(pattern),
  };
  return is[operator] !== negate;
}

function describe({ operator, pattern, negate }: Pattern): string {
  const verb = { starts_with: 'start with', ends_with: 'end with', contains: 'contain', regex: 'match' }[operator];
  return `${negate ? 'do not ' : ''}${verb} “${pattern}”`;
}

const restrictionShapes = {
  file_path_restriction: z.object({ restricted_file_paths: z.array(z.string()) }),
  file_extension_restriction: z.object({ restricted_file_extensions: z.array(z.string()) }),
  max_file_path_length: z.object({ max_file_path_length: z.number() }),
  /** In megabytes. */
  max_file_size: z.object({ max_file_size: z.number() }),
};

function readRestrictions(rules: readonly BranchRule[]): PushRestrictions {
  const read = <Shape>(type: keyof typeof restrictionShapes, shape: z.ZodType<Shape>): Shape[] =>
    rules.flatMap((rule) => (rule.type === type ? (shape.safeParse(rule.parameters).data ?? []) : []));
  const least = (values: number[]) => (values.length > 0 ? Math.min(...values) : undefined);
  const paths = read('file_path_restriction', restrictionShapes.file_path_restriction);
  const extensions = read('file_extension_restriction', restrictionShapes.file_extension_restriction);
  const lengths = read('max_file_path_length', restrictionShapes.max_file_path_length);
  const megabytes = least(read('max_file_size', restrictionShapes.max_file_size).map((size) => size.max_file_size));
  return {
    paths: paths.flatMap(({ restricted_file_paths }) => restricted_file_paths),
    extensions: extensions.flatMap(({ restricted_file_extensions }) => restricted_file_extensions),
    maxPathCharacters: least(lengths.map(({ max_file_path_length }) => max_file_path_length)),
    maxFileBytes: megabytes === undefined ? undefined : megabytes * 1024 ** 2,
  };
}
