import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { listAll } from '../client/list-all.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';

export interface BranchRule {
  type: string;
  parameters: Record<string, unknown>;
  rulesetId: number | null;
}

/** https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch */
const branchRuleSchema = z
  .object({
    type: z.string(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    ruleset_id: z.number().nullish(),
  })
  .transform(
    (rule): BranchRule => ({
      type: rule.type,
      parameters: rule.parameters ?? {},
      rulesetId: rule.ruleset_id ?? null,
    }),
  );

const rulesetSchema = z.object({
  current_user_can_bypass: z.enum(['always', 'exempt', 'pull_requests_only', 'never']).optional().catch(undefined),
});

export function createRuleCalls({ connection, owner, repo }: CallContext) {
  const name = `${owner}/${repo}`;

  return {
    /** Includes the organization's and enterprise's rules, not classic branch protection. The branch need not exist. Rulesets are not available
     * on old servers (404) and for private repositories on the free plan (403). */
    async listBranchRules(branch: string): Promise<BranchRule[]> {
      return connection.read<BranchRule[]>(
        `list the rules for ${branch} in ${name}`,
        async ({ rest }) =>
          listAll(async (page) => {
            const answer = await rest.repos.getBranchRules({ owner, repo, branch, ...page });
            return { items: z.array(branchRuleSchema).parse(answer.data), link: answer.headers.link };
          }),
        {
          403: (_answer, error) => {
            if (error instanceof GitHubRefusal && !isAboutPlan(error)) throw error;
            return [];
          },
          404: () => [],
        },
      );
    },

    /** Whether the App always bypasses a ruleset; undefined when GitHub does not say. */
    async canBypassRuleset(rulesetId: number): Promise<boolean | undefined> {
      return connection.read<boolean | undefined>(
        `read ruleset ${rulesetId} of ${name}`,
        async ({ rest }) => {
          const query = { owner, repo, ruleset_id: rulesetId, includes_parents: true };
          const bypass = rulesetSchema.parse((await rest.repos.getRepoRuleset(query)).data).current_user_can_bypass;
          return bypass && (bypass === 'always' || bypass === 'exempt');
        },
        { 403: () => undefined, 404: () => undefined },
      );
    },
  };
}

/** The free plan has no rulesets in private repositories. */
const isAboutPlan = ({ facts }: GitHubRefusal): boolean =>
  facts.reason === 'refused' && facts.remedy !== 'allow_address';
