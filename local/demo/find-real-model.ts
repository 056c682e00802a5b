const defaultModel = 'gpt-5';

/** The real model: a description for people, and the service's settings for it. */
export interface RealModel {
  description: string;
  settings: Record<string, string>;
}

/** Undefined without OPENAI_API_KEY. The description never holds the key. */
export function findRealModel(environment: NodeJS.ProcessEnv): RealModel | undefined {
  const { OPENAI_API_KEY, OPENAI_MODEL, OPENAI_BASE_URL } = environment;
  if (!OPENAI_API_KEY) return undefined;
  const model = OPENAI_MODEL || defaultModel;
  const server = OPENAI_BASE_URL ? hideAccount(OPENAI_BASE_URL) : 'https://api.openai.com';
  return {
    description: `Model: ${model} at ${server}, with this shell's OPENAI_API_KEY. Unset that variable to use the scripted model.`,
    settings: {
      OPENAI_API_KEY,
      OPENAI_MODEL: model,
      ...(OPENAI_BASE_URL && { OPENAI_BASE_URL }),
      ...pick(environment, ['OPENAI_API', 'OPENAI_CONTEXT_TOKENS', 'OPENAI_REASONING_EFFORT']),
    },
  };
}

const hideAccount = (url: string) => url.replace(/\/\/[^/]*@/, '//');

const pick = (environment: NodeJS.ProcessEnv, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
