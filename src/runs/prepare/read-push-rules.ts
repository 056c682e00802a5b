import type { BranchRule } from '../../github/calls/rule-calls.ts';
import type { PushRules } from '../checkout.ts';
import type { RunContext } from '../run-context.ts';
import { evaluateRules, findRuleFailure } from './evaluate-rules.ts';
import type { RemoteRepository } from './open-remote.ts';

interface BranchRules {
  rules: BranchRule[];
  baseRules: BranchRule[];
}

/** The rules as they were at most some minutes ago. */
export async function listPushRules(
  { parts: { readBranchRules }, job }: RunContext,
  { client, repository: { repositoryId }, branch }: RemoteRepository,
): Promise<BranchRules> {
  return {
    rules: await readBranchRules(client, { repositoryId, branch }),
    baseRules: await readBranchRules(client, { repositoryId, branch: job.base, withBypassed: true }),
  };
}

/** Throws `RunFailure` `branch_rules` where the rules refuse every push, unless the run may have pushed already. */
export async function evaluatePushRules(
  context: RunContext,
  remote: RemoteRepository,
  { cached, isNew }: { cached: BranchRules; isNew: boolean },
): Promise<PushRules> {
  const { branch, bot, repository } = remote;
  const evaluate = ({ rules, baseRules }: BranchRules) => {
    const pushRules = evaluateRules({ rules, baseRules });
    return {
      pushRules,
      failure: findRuleFailure(rules, { branch, isNew, email: bot.email, isSigned: pushRules.isSigned }),
    };
  };
  const first = evaluate(cached);
  if (context.run.phase !== 'working' || first.failure === undefined) return first.pushRules;
  // Somebody may have lifted the rule after the last failure.
  context.parts.readBranchRules.forget(repository.repositoryId);
  const { pushRules, failure } = evaluate(await listPushRules(context, remote));
  if (failure) throw failure;
  return pushRules;
}
