import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { describeCause } from './describe-cause.ts';
import { broken, type Check, type Finding, ok, warning } from './finding.ts';

/** The default of the openai SDK. */
const openaiUrl = 'https://api.openai.com/v1';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * https://developers.openai.com/api/reference/resources/models/methods/list. `isOperatorAsking`: a server that lists no models is
 * asked for a few tokens, and one that does not answer is broken.
 * An answer may quote the key, so nothing of it is shown.
 */
export const createModelCheck = (
  openai: Config['openai'],
  { isOperatorAsking }: { isOperatorAsking: boolean },
): Check<'model'> => ({
  part: 'model',
  async find(signal) {
    const { baseUrl, apiKey, models } = openai;
    const url = (baseUrl ?? openaiUrl).replace(/(?<!\/)\/+$/, '');
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/models`, { headers, redirect: 'manual', signal }).catch(
      (error: unknown) => error,
    );
    if (!(response instanceof Response)) {
      if (!isOperatorAsking) throw response;
      return broken(`the model server at ${url} does not answer (${describeCause(response)})`, unreachable);
    }
    if (!response.ok) {
      await response.body?.cancel();
      const refused = describeStatus(response.status);
      if (refused) return refused;
      return isOperatorAsking ? ask(openai, { url, headers, signal }) : ok('the model server lists no models');
    }
    const listed = listSchema.safeParse(await response.json().catch(() => undefined)).data?.data.map(({ id }) => id);
    const unknown = models.filter((model) => listed !== undefined && listed.length > 0 && !listed.includes(model));
    if (unknown.length === 0) return ok(`the model server at ${url} answers, with ${models.join(', ')}`);
    return warning(
      `the model server does not list ${unknown.join(', ')}`,
      `Check OPENAI_MODEL and OPENAI_MODELS. It lists ${listed?.slice(0, 5).join(', ')}${(listed?.length ?? 0) > 5 ? ', …' : ''}.`,
    );
  },
});

const unreachable =
  'Check OPENAI_BASE_URL, whether the server runs, and the network to it: DNS, firewall, HTTPS_PROXY and NO_PROXY.';

const describeStatus = (status: number): Finding | undefined =>
  status === 401 || status === 403
    ? broken(
        `The model server refuses OPENAI_API_KEY with status ${status}`,
        'Check OPENAI_API_KEY and OPENAI_BASE_URL.',
      )
    : undefined;

async function ask(
  { api, models: [model] }: Config['openai'],
  { url, headers, signal }: { url: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<Finding> {
  const [path, request] =
    api === 'chat'
      ? ['chat/completions', { model, messages: [{ role: 'user', content: 'Answer: yes' }], max_tokens: 16 }]
      : ['responses', { model, input: 'Answer: yes', max_output_tokens: 16, store: false }];
  const body = JSON.stringify(request);
  const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body, redirect: 'manual', signal });
  await response.body?.cancel();
  if (response.ok) return ok(`${model} answers at ${url}`);
  return (
    describeStatus(response.status) ??
    broken(
      `the model server answers ${response.status} to ${path}`,
      'Check OPENAI_BASE_URL (it usually ends in /v1), OPENAI_MODEL and OPENAI_API.',
    )
  );
}
