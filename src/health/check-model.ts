import { z } from 'zod';
import { addressOf, openaiUrl, writeAuthorization } from '../agent/model/address.ts';
import type { Config } from '../config/config.ts';
import { askModel } from './ask-model.ts';
import { describeCause, findRemedy } from './describe-cause.ts';
import { broken, type HealthCheck, ok, warning } from './finding.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * https://developers.openai.com/api/reference/resources/models/methods/list. `isOperatorAsking`: the model is also asked one short question
 * with a tool, because a list says little, and a server that does not answer is broken.
 */
export const createModelCheck = (
  openai: Config['openai'],
  { isOperatorAsking }: { isOperatorAsking: boolean },
): HealthCheck<'model'> => ({
  part: 'model',
  async find(signal) {
    const { baseUrl, apiKey, models } = openai;
    const url = (baseUrl ?? openaiUrl).replace(/\/$/, '');
    const headers = writeAuthorization(baseUrl, apiKey);
    const response = await fetch(addressOf(baseUrl, '/models'), { headers, redirect: 'manual', signal }).catch(
      (error: unknown) => error,
    );
    if (!(response instanceof Response)) {
      if (!isOperatorAsking) throw response;
      return broken(
        `the model server at ${url} does not answer (${describeCause(response)})`,
        findRemedy(response) ?? unreachable,
      );
    }
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      return broken(
        `The model server refuses OPENAI_API_KEY with status ${response.status}`,
        'Check OPENAI_API_KEY and OPENAI_BASE_URL.',
      );
    }
    const listed = response.ok ? await readList(response) : await response.body?.cancel();
    const unknown = models.filter((model) => listed && listed.length > 0 && !listed.includes(model));
    const asked = isOperatorAsking ? await askModel(openai, { url, signal }) : undefined;
    if (asked && asked.state !== 'ok') return asked;
    if (listed && unknown.length > 0)
      return warning(
        `the model server does not list ${unknown.join(', ')}${asked ? `; ${asked.detail}` : ''}`,
        `Check OPENAI_MODEL and OPENAI_MODELS. It lists ${listed.slice(0, 5).join(', ')}${listed.length > 5 ? ', …' : ''}.`,
      );
    if (asked) return asked;
    return ok(
      listed ? `the model server at ${url} answers, with ${models.join(', ')}` : 'the model server lists no models',
    );
  },
});

const readList = async (response: Response): Promise<string[] | undefined> =>
  listSchema.safeParse(await response.json().catch(() => undefined)).data?.data.map(({ id }) => id);

const unreachable =
  'Check OPENAI_BASE_URL, whether the server runs, and the network to it: DNS, firewall, HTTPS_PROXY and NO_PROXY.';
