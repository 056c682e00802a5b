import { notFound } from '../api/api-error.ts';
import { apiUrlOf, nodeId, webUrlOf } from '../json/present.ts';
import { rulesetsOf } from '../rules/rulesets-of.ts';
import { fullNameOf } from '../state/repositories.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, onRepository, type Route } from './route.ts';

const metadata = [{ metadata: 'read' as const }];

/** https://docs.github.com/en/rest/repos/rules */
export const ruleRoutes: Route[] = [
  onRepository.get('/rules/branches/*branch', metadata, (call) => {
    const { repository, params } = call;
    const source = { ruleset_source_type: 'Repository', ruleset_source: fullNameOf(repository) };
    // Also lists rules that the caller may bypass.
    const all = rulesetsOf(repository, params.branch ?? '').flatMap(({ id, rules }) =>
      rules.map((rule) => ({ id, rule: { ...rule, ...source, ruleset_id: id } })),
    );
    return paginate(call, all, (page) => page.map(({ rule }) => rule));
  }),
  onRepository.get('/rulesets/:ruleset_id', metadata, (call) => {
    const { repository } = call;
    const rulesetId = numberParam(call, 'ruleset_id');
    const ruleset = repository.rulesets.values().find(({ id }) => id === rulesetId);
    if (!ruleset) throw notFound();
    const { id, pattern, rules, canBypass, createdAt } = ruleset;
    return ok({
      id,
      name: pattern,
      target: 'branch',
      source_type: 'Repository',
      source: fullNameOf(repository),
      enforcement: 'active',
      conditions: {
        ref_name: { include: [pattern.startsWith('~') ? pattern : `refs/heads/${pattern}`], exclude: [] },
      },
      rules,
      node_id: nodeId('RRS', id),
      created_at: createdAt,
      updated_at: createdAt,
      current_user_can_bypass: canBypass ? 'always' : 'never',
      _links: {
        self: { href: `${apiUrlOf(repository)}/rulesets/${id}` },
        html: { href: `${webUrlOf(repository)}/rules/${id}` },
      },
    });
  }),
];
