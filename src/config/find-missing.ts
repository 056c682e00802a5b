import type { Variables } from './variables.ts';

/** The keys command needs less of the configuration. */
export type ConfigReader = 'service' | 'keys';

/** A sentence for each variable that is missing, with the variables of which any would do. `needsApp`: the App cannot come from `/setup`. */
export function findMissing(
  set: Variables,
  { reader, needsApp }: { reader: ConfigReader; needsApp: boolean },
): string[] {
  const rules = [...(needsApp ? listAppRules(set, reader) : []), ...(reader === 'keys' ? [] : listRules(set))];
  return rules.flatMap(([isMissing, text]) => (isMissing ? [text] : []));
}

type Rule = readonly [isMissing: boolean, text: string];

function listAppRules(set: Variables, reader: ConfigReader): Rule[] {
  const receivesWebhooks = reader === 'service' && set.ROLE !== 'worker';
  const hint = set.ROLE === 'all' ? '' : `; /setup works with ROLE=all only, and this is ROLE=${set.ROLE}`;
  return [
    [set.APP_ID === null, `APP_ID: set it to the App ID on the App’s settings page${hint}`],
    [
      set.PRIVATE_KEY === null && set.PRIVATE_KEY_PATH === null,
      'PRIVATE_KEY or PRIVATE_KEY_PATH: set one of them to the private key from the App’s settings page',
    ],
    [
      receivesWebhooks && set.WEBHOOK_SECRET === null,
      'WEBHOOK_SECRET: set it to the webhook secret on the App’s settings page',
    ],
    [
      (set.GITHUB_CLIENT_ID === null) !== (set.GITHUB_CLIENT_SECRET === null),
      'GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET: set both, from the App’s settings page, or neither; without them nobody can sign in to the dashboard',
    ],
  ];
}

const listRules = (set: Variables): Rule[] => [
  [set.OPENAI_MODEL === null, 'OPENAI_MODEL: set it to the model that edits, for example gpt-5'],
  [
    set.ROLE !== 'web' && set.OPENAI_API_KEY === null && set.OPENAI_BASE_URL === null,
    'OPENAI_API_KEY: set it, or set OPENAI_BASE_URL to a model server that needs no key',
  ],
  [
    set.ROLE !== 'all' && set.DATABASE_URL === null,
    `DATABASE_URL: set it to the PostgreSQL server that all processes share; ROLE=${set.ROLE} requires it`,
  ],
];
