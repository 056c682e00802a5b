import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { readList } from '../client/reads.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';

/** https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch */
const branchRuleSchema = z
  .object({
    type: z.string(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    ruleset_id: z.number().nullish(),
  })
  .transform(({ type, parameters, ruleset_id: rulesetId }) => ({
    type,
    parameters: parameters ?? {},
    rulesetId: rulesetId ?? null,
  }));

export type BranchRule = z.output<typeof branchRuleSchema>;

const rulesetSchema = z.object({
  current_user_can_bypass: z.enum(['always', 'exempt', 'pull_requests_only', 'never']).optional().catch(undefined),
});

export function createRuleCalls({ connection, owner, repo, name }: CallContext) {
  return {
    /** Includes the organization's and enterprise's rules, not classic branch protection. The branch need not exist. Rulesets are not available
     * on old servers (404) and for private repositories on the free plan (403). */
    listBranchRules: (branch: string): Promise<BranchRule[]> =>
      readList(
        connection,
        { what: `list the rules for ${branch} in ${name}`, item: branchRuleSchema },
        ({ rest }, page) => rest.repos.getBranchRules({ owner, repo, branch, ...page }),
        {
          403: (_answer, error) => {
            if (error instanceof GitHubRefusal && !isAboutPlan(error)) throw error;
            return [];
          },
          404: () => [],
        },
      ),

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
