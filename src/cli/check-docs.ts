import { checkChange } from '../checks/check-change.ts';
import { formatProblems, parseCheckDocsCommand, usage } from './check-docs-command.ts';
import { readDocsTrees } from './read-docs-trees.ts';
import { UsageError } from './usage-error.ts';

async function main(args: string[], signal: AbortSignal): Promise<void> {
  const command = parseCheckDocsCommand(args);
  if (command.kind === 'help') {
    process.stdout.write(usage);
    return;
  }
  const checked = checkChange(await readDocsTrees({ ...command, signal }));
  process.stdout.write(
    formatProblems(checked, { isJson: command.isJson, isColoured: process.stdout.hasColors?.() ?? false }),
  );
  process.exitCode = checked.problems.some(({ severity }) => severity === 'must') ? 1 : 0;
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => stopping.abort(new Error(`ended by ${name}`)));
try {
  await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  const hint = error instanceof UsageError ? ' (see: npm run -s check-docs -- --help)' : '';
  process.stderr.write(`check-docs: ${error instanceof Error ? error.message : String(error)}${hint}\n`);
  process.exitCode = 2;
}
