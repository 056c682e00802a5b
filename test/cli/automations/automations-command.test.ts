import { expect, test } from 'vitest';
import { type AutomationsCommand, createAutomationsCommand } from '../../../src/cli/automations/automations-command.ts';
import { reportUsage } from '../../../src/cli/report-usage.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';

const repository = { owner: 'acme', repo: 'docs' };

async function parse(args: string[]): Promise<AutomationsCommand | undefined> {
  let parsed: AutomationsCommand | undefined;
  const automations = createAutomationsCommand(async (command) => {
    parsed = command;
  });
  reportUsage(automations, 'pagewright automations');
  // Help goes to stderr when the command is missing.
  automations.configureOutput({ writeErr: () => {} });
  await automations.parseAsync(args, { from: 'user' });
  return parsed;
}

test.each<[string, AutomationsCommand]>([
  ['list acme/docs', { kind: 'list', ...repository, isJson: false }],
  ['list --json acme/docs', { kind: 'list', ...repository, isJson: true }],
  ['run acme/docs api', { kind: 'run', ...repository, name: 'api', pullRequest: undefined, isJson: false }],
  [
    'run acme/docs api --pull-request acme/a.p_i#12 --json',
    {
      kind: 'run',
      ...repository,
      name: 'api',
      pullRequest: { owner: 'acme', repo: 'a.p_i', number: 12 },
      isJson: true,
    },
  ],
  ['pause acme/docs 2-a', { kind: 'pause', ...repository, name: '2-a', isJson: false }],
  ['resume acme/docs api --json', { kind: 'resume', ...repository, name: 'api', isJson: true }],
])('%s', async (line, command) => {
  expect(await parse(line.split(' '))).toEqual(command);
});

test.each([
  ['', /^missing command \(see: pagewright automations --help\)$/],
  ['start acme/docs api', /unknown command 'start'/],
  ['list', /OWNER\/REPO/],
  ['list acme', /OWNER\/REPO, such as acme\/docs/],
  ['run acme/docs', /NAME.*\(see: pagewright automations run --help\)$/],
  ['run acme/docs API', /letters a-z, digits and hyphens/],
  [`run acme/docs ${'a'.repeat(41)}`, /at most 40 letters/],
  ['run acme/docs api --pull-request 12', /owner\/name#number/],
  ['run acme/docs api --pull-request acme/api#0', /owner\/name#number/],
  ['run acme/docs api --pull-request https://github.com/acme/api/pull/1', /owner\/name#number/],
  ['pause acme/docs api --pull-request acme/api#1', /unknown option '--pull-request'/],
  ['resume acme/docs api other', /Expected 2 arguments but got 3/],
])('%j throws a UsageError that says why', async (line, why) => {
  const parsing = parse(line === '' ? [] : line.split(' '));
  await expect(parsing).rejects.toThrow(UsageError);
  await expect(parsing).rejects.toThrow(why);
});
