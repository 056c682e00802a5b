import { styleText } from 'node:util';
import { Command } from 'commander';
import type { Examined } from '../../health/examine.ts';

export interface DoctorCommand {
  isJson: boolean;
  fix: boolean;
}

/** `pagewright doctor`: parses the arguments and passes them to `run`. */
export function createDoctorCommand(run: (command: DoctorCommand) => Promise<void>): Command {
  return new Command('doctor')
    .summary('check everything that the service needs, and say what to do')
    .description(
      `Checks Node.js, git, DATA_DIR, the database, the App and its secrets, the webhooks that GitHub sent, the model server, the clock, PUBLIC_URL
through its proxy, and outgoing connections. Each line: ok, warning or broken, and what to do. The service may be running;
if it is, the check of PUBLIC_URL shows more. Changes nothing without --fix. Asks the model one short
question with a tool, which costs a few tokens.`,
    )
    .option('--fix', 'make files that hold secrets unreadable for other users', false)
    .option('--json', 'one JSON object a line: part, state (ok, warning or broken), detail, todo', false)
    .addHelpText(
      'after',
      `
Exit code: 0 if nothing is broken, else 1.

Examples:
  pagewright doctor
  pagewright doctor --fix
  pagewright doctor --json | jq 'select(.state != "ok")'`,
    )
    .action(({ fix, json }: { fix: boolean; json: boolean }) => run({ isJson: json, fix }));
}

const colourOf = { ok: 'green', warning: 'yellow', broken: 'red' } as const;

/** A line for each check, and what to do below it. */
export function formatExamined(
  examined: readonly Examined[],
  { isJson, isColoured }: { isJson: boolean; isColoured: boolean },
): string {
  if (isJson)
    return examined.map(({ part, ...found }) => `${JSON.stringify({ part, ...withoutFix(found) })}\n`).join('');
  const paint = (state: keyof typeof colourOf) => {
    const text = state.padEnd(7);
    return isColoured ? styleText(colourOf[state], text, { validateStream: false }) : text;
  };
  return examined
    .map((found) => {
      const todo = found.state === 'ok' ? '' : `\n${' '.repeat(30)}${found.todo}`;
      return `${paint(found.state)}  ${found.part.padEnd(19)}  ${found.detail}${todo}\n`;
    })
    .join('');
}

const withoutFix = (found: object) => Object.fromEntries(Object.entries(found).filter(([key]) => key !== 'fix'));
