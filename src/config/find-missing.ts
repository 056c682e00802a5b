import type { Variables } from './variables.ts';

/** The keys command needs less of the configuration. */
export type ConfigReader = 'service' | 'keys';

/** Setting any of `names` solves the problem. */
interface Missing {
  names: (keyof Variables)[];
  text: string;
}

/** `needsApp`: the App cannot come from `/setup`. */
export function findMissing(
  set: Variables,
  { reader, needsApp }: { reader: ConfigReader; needsApp: boolean },
): Missing[] {
  const rules = [...(needsApp ? listAppRules(set, reader) : []), ...(reader === 'keys' ? [] : listRules(set))];
  return rules.flatMap(([isMissing, missing]) => (isMissing ? [missing] : []));
}

function listAppRules(set: Variables, reader: ConfigReader): [boolean, Missing][] {
  const receivesWebhooks = reader === 'service' && set.ROLE !== 'worker';
  const hint = set.ROLE === 'all' ? '' : `; /setup works with ROLE=all only, and this is ROLE=${set.ROLE}`;
  return [
    [
      set.APP_ID === null,
      { names: ['APP_ID'], text: `APP_ID: set it to the App ID on the App’s settings page${hint}` },
    ],
    [
      set.PRIVATE_KEY === null && set.PRIVATE_KEY_PATH === null,
      {
        names: ['PRIVATE_KEY', 'PRIVATE_KEY_PATH'],
        text: 'PRIVATE_KEY or PRIVATE_KEY_PATH: set one of them to the private key from the App’s settings page',
      },
    ],
    [
      receivesWebhooks && set.WEBHOOK_SECRET === null,
      { names: ['WEBHOOK_SECRET'], text: 'WEBHOOK_SECRET: set it to the webhook secret on the App’s settings page' },
    ],
    [
      (set.GITHUB_CLIENT_ID === null) !== (set.GITHUB_CLIENT_SECRET === null),
      {
        names: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
        text: 'GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET: set both, from the App’s settings page, or neither; without them nobody can sign in to the dashboard',
      },
    ],
  ];
}

function listRules(set: Variables): [boolean, Missing][] {
  return [
    [
      set.OPENAI_MODEL === null,
      { names: ['OPENAI_MODEL'], text: 'OPENAI_MODEL: set it to the model that edits, for example gpt-5' },
    ],
    [
      set.ROLE !== 'web' && set.OPENAI_API_KEY === null && set.OPENAI_BASE_URL === null,
      {
        names: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
        text: 'OPENAI_API_KEY: set it, or set OPENAI_BASE_URL to a model server that needs no key',
      },
    ],
    [
      set.ROLE !== 'all' && set.DATABASE_URL === null,
      {
        names: ['DATABASE_URL'],
        text: `DATABASE_URL: set it to the PostgreSQL server that all processes share; ROLE=${set.ROLE} requires it`,
      },
    ],
  ];
}
