const defaultModel = 'gpt-5';

/** The model of whoever runs the demo: what it is, for a person, and how the service is told of it. */
export interface RealModel {
  description: string;
  settings: Record<string, string>;
}

/** Undefined without OPENAI_API_KEY: then the demo plays a script. The description never holds the key. */
export function findRealModel(environment: NodeJS.ProcessEnv): RealModel | undefined {
  const { OPENAI_API_KEY, OPENAI_MODEL, OPENAI_BASE_URL, OPENAI_API } = environment;
  if (!OPENAI_API_KEY) return undefined;
  const model = OPENAI_MODEL || defaultModel;
  const server = OPENAI_BASE_URL ? hideAccount(OPENAI_BASE_URL) : 'https://api.openai.com';
  return {
    description: `The model is ${model} at ${server}, paid for by the OPENAI_API_KEY of this shell; without that variable a script plays its part.`,
    settings: {
      OPENAI_API_KEY,
      OPENAI_MODEL: model,
      ...(OPENAI_BASE_URL && { OPENAI_BASE_URL }),
      ...(OPENAI_API && { OPENAI_API }),
    },
  };
}

const hideAccount = (url: string) => url.replace(/\/\/[^/]*@/, '//');
