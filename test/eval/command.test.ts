import { expect, test } from 'vitest';
import { createEvalCommand, type EvalCommand } from '../../eval/command.ts';
import { allTasks } from '../../eval/tasks/all-tasks.ts';
import { reportUsage, UsageError } from '../../src/cli/report-usage.ts';

async function parse(args: string[], environment: NodeJS.ProcessEnv): Promise<EvalCommand | undefined> {
  let parsed: EvalCommand | undefined;
  const command = createEvalCommand(environment, async (given) => {
    parsed = given;
  });
  reportUsage(command);
  await command.parseAsync(args, { from: 'user' });
  return parsed;
}

test('without options, all tasks are done once, with the model of the environment', async () => {
  expect(await parse([], { OPENAI_MODEL: 'gpt-5' })).toMatchObject({
    kind: 'evaluate',
    tasks: allTasks,
    repeat: 1,
    environment: { OPENAI_MODEL: 'gpt-5' },
  });
});

test('the options name model, server, tasks and sites', async () => {
  const args = ['--model', 'small', '--model-server', 'http://localhost:1/v1', '--tasks', 'gitbook/changelog,nextra'];
  expect(await parse([...args, '--repeat', '3', '--json'], {})).toMatchObject({
    tasks: allTasks.filter(({ name, site }) => name === 'gitbook/changelog' || site === 'nextra'),
    repeat: 3,
    isJson: true,
    environment: { OPENAI_MODEL: 'small', OPENAI_BASE_URL: 'http://localhost:1/v1' },
  });
});

test.each([
  { args: ['--tasks', 'gitbook/nothing'], message: /no task gitbook\/nothing/ },
  { args: ['--repeat', '0'], message: /--repeat.* takes a whole number/ },
  { args: ['--minutes', 'ten'], message: /--minutes.* takes a whole number/ },
  { args: ['--fast'], message: /--fast/ },
  { args: ['gpt-5'], message: /too many arguments.*\(see: pagewright eval --help\)$/ },
])('$args is refused', async ({ args, message }) => {
  const parsing = parse(args, {});
  await expect(parsing).rejects.toThrow(UsageError);
  await expect(parsing).rejects.toThrow(message);
});
