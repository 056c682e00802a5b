import type { ScriptStep } from '../model/script.ts';

export const prompt = 'Bring the reference of the commands in line with these changes.';

export const codeName = 'acme/relay';

/** The code that the handbook describes. It lets runs of the handbook read it. */
export const code = {
  '.github/pagewright.yml': 'documentation: acme/cli-handbook\n',
  'src/replay.ts': `import { send } from './send.ts';

/** relay replay ID */
export const replay = (id: string) => send({ id, timeoutMs: 10_000 });
`,
};

export const settings = `context: [${codeName}]

automations:
  commands:
    on: {merged: ${codeName}, paths: [src/**]}
    prompt: ${prompt}
`;

export const change = {
  title: 'Let replay wait longer by --timeout',
  files: {
    'src/replay.ts': `import { send } from './send.ts';

/** relay replay ID [--timeout SECONDS] */
export const replay = (id: string, { timeout = 10 } = {}) => send({ id, timeoutMs: timeout * 1_000 });
`,
  },
};

const call = (name: string, args: object) => ({ name, arguments: args });

export const steps: ScriptStep[] = [
  {
    calls: [
      call('read_file', { path: '@acme/relay/src/replay.ts' }),
      call('read_file', { path: 'reference/commands.md' }),
    ],
  },
  {
    calls: [
      call('edit_file', {
        path: 'reference/commands.md',
        old_text: 'See the [exit codes]',
        new_text: 'It waits 10 seconds for an answer, or as many as\n`--timeout` says. See the [exit codes]',
      }),
      call('finish', {
        summary: 'The reference describes `--timeout` of `relay replay`, with its default.',
        title: 'Document relay replay --timeout',
        description: 'Readers learn how to make `relay replay` wait longer for a slow server.',
        evidence: [
          {
            page: 'reference/commands.md',
            claim: 'A replay waits 10 seconds for an answer, or as many as the option says.',
            path: '@acme/relay/src/replay.ts',
            lines: '3-4',
          },
        ],
      }),
    ],
  },
];
