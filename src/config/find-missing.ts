import type { Variables } from './variables.ts';

/** Who reads the configuration: the service, or the keys command, which runs beside it and needs less. */
export type ConfigReader = 'service' | 'keys';

/** A problem that setting any one of `names` would solve. */
interface Missing {
  names: (keyof Variables)[];
  text: string;
}

/** What is not set and has to be; of the App only where it cannot come from `/setup` (`needsApp`). */
export function findMissing(
  set: Variables,
  { reader, needsApp }: { reader: ConfigReader; needsApp: boolean },
): Missing[] {
  const rules = [...(needsApp ? listAppRules(set, reader) : []), ...(reader === 'keys' ? [] : listRules(set))];
  return rules.flatMap(([isMissing, missing]) => (isMissing ? [missing] : []));
}

function listAppRules(set: Variables, reader: ConfigReader): [boolean, Missing][] {
  const receives = reader === 'service' && set.ROLE !== 'worker';
  const hint = set.ROLE === 'all' ? '' : `; with ROLE=${set.ROLE} it comes from the environment only, not from /setup`;
  return [
    [
      set.APP_ID === null,
      { names: ['APP_ID'], text: `APP_ID: set it to the App ID on the App’s settings page${hint}` },
    ],
    [
      set.PRIVATE_KEY === null && set.PRIVATE_KEY_PATH === null,
      {
        names: ['PRIVATE_KEY', 'PRIVATE_KEY_PATH'],
        text: 'PRIVATE_KEY or PRIVATE_KEY_PATH: set one of them to the private key made on the App’s settings page',
      },
    ],
    [
      receives && set.WEBHOOK_SECRET === null,
      { names: ['WEBHOOK_SECRET'], text: 'WEBHOOK_SECRET: set it to the secret of the App’s webhook' },
    ],
  ];
}

function listRules(set: Variables): [boolean, Missing][] {
  return [
    [
      set.OPENAI_MODEL === null,
      { names: ['OPENAI_MODEL'], text: 'OPENAI_MODEL: name the model that edits, for example gpt-5' },
    ],
    [
      set.ROLE !== 'web' && set.OPENAI_API_KEY === null && set.OPENAI_BASE_URL === null,
      {
        names: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
        text: 'OPENAI_API_KEY: set it (or OPENAI_BASE_URL, for a model server that wants no key)',
      },
    ],
    [
      set.ROLE !== 'all' && set.DATABASE_URL === null,
      {
        names: ['DATABASE_URL'],
        text: `DATABASE_URL: ROLE=${set.ROLE} needs a PostgreSQL server that all processes share`,
      },
    ],
  ];
}
