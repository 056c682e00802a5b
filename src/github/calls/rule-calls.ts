import { z } from 'zod';
import type { CallSite } from '../client/call-context.ts';
import { listAll } from '../client/list-all.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';

/** A rule that is in force for a branch, with the parameters of its type and the ruleset that it comes from. */
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
    (given): BranchRule => ({
      type: given.type,
      parameters: given.parameters ?? {},
      rulesetId: given.ruleset_id ?? null,
    }),
  );

const rulesetSchema = z.object({
  current_user_can_bypass: z.enum(['always', 'exempt', 'pull_requests_only', 'never']).optional().catch(undefined),
});

/** The calls of a repository client that are about branch rules; its face says what they promise. */
export function createRuleCalls({ connection, owner, repo }: CallSite) {
  const name = `${owner}/${repo}`;

  return {
    /**
     * The rules in force for a branch of that name, which need not exist; organisation's and enterprise's too, classic branch protection not.
     * None where there cannot be any: servers that do not know rulesets answer 404, and GitHub answers 403 for a private repository on
     * the free plan (“Upgrade to GitHub Pro or make this repository public to enable this feature”).
     */
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
            if (error instanceof GitHubRefusal && error.reason === 'permission_missing') throw error;
            return [];
          },
          404: () => [],
        },
      );
    },

    /** Whether the App may always do what a ruleset forbids; undefined when GitHub does not say. */
    async canBypassRuleset(rulesetId: number): Promise<boolean | undefined> {
      return connection.read<boolean | undefined>(
        `read ruleset ${rulesetId} of ${name}`,
        async ({ rest }) => {
          const wanted = { owner, repo, ruleset_id: rulesetId, includes_parents: true };
          const bypass = rulesetSchema.parse((await rest.repos.getRepoRuleset(wanted)).data).current_user_can_bypass;
          return bypass && (bypass === 'always' || bypass === 'exempt');
        },
        { 403: () => undefined, 404: () => undefined },
      );
    },
  };
}
