import type { Config } from '../../src/config/config.ts';

const openaiUrl = 'https://api.openai.com/v1';
const timeoutMs = 15_000;

/** Asks for the list of models, which costs no tokens. Returns a sentence if the server cannot be used; servers without the list pass. */
export async function findServerProblem(
  { baseUrl, apiKey }: Config['openai'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const url = (baseUrl ?? openaiUrl).replace(/\/+$/, '');
  const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const { status, body } = await fetch(`${url}/models`, {
      headers: { authorization: `Bearer ${apiKey}` },
      redirect: 'manual',
      signal: limits,
    });
    await body?.cancel();
    if (status === 401 || status === 403) return `the model server at ${url} refuses OPENAI_API_KEY with ${status}`;
    return status >= 500 ? `the model server at ${url} answers ${status}` : undefined;
  } catch (error) {
    signal.throwIfAborted();
    return `the model server at ${url} cannot be reached: ${describe(error)}`;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? `${cause.code}` : '';
  return code || error.message;
}
