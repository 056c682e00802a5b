import { expect, test } from 'vitest';
import { parseEvalCommand } from '../../eval/command.ts';
import { allTasks } from '../../eval/tasks/all-tasks.ts';

test('without options, all tasks are done once, with the model of the environment', () => {
  expect(parseEvalCommand([], { OPENAI_MODEL: 'gpt-5' })).toMatchObject({
    kind: 'evaluate',
    tasks: allTasks,
    repeat: 1,
    environment: { OPENAI_MODEL: 'gpt-5' },
  });
});

test('the options name model, server, tasks and sites', () => {
  const args = ['--model', 'small', '--model-server', 'http://localhost:1/v1', '--tasks', 'gitbook/changelog,nextra'];
  expect(parseEvalCommand([...args, '--repeat', '3', '--json'], {})).toMatchObject({
    tasks: allTasks.filter(({ name, site }) => name === 'gitbook/changelog' || site === 'nextra'),
    repeat: 3,
    isJson: true,
    environment: { OPENAI_MODEL: 'small', OPENAI_BASE_URL: 'http://localhost:1/v1' },
  });
});

test.each([
  { args: ['--tasks', 'gitbook/nothing'], message: /no task gitbook\/nothing/ },
  { args: ['--repeat', '0'], message: /--repeat takes a whole number/ },
  { args: ['--minutes', 'ten'], message: /--minutes takes a whole number/ },
  { args: ['--fast'], message: /--fast/ },
  { args: ['gpt-5'], message: /gpt-5/ },
])('$args is refused', ({ args, message }) => {
  expect(() => parseEvalCommand(args, {})).toThrow(message);
});
