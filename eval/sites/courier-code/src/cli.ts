import { Command } from 'commander';
import { drain, send } from './send.ts';

const program = new Command('courier');

program
  .command('send <file>')
  .requiredOption('--to <url>', 'the endpoint')
  .option('--insecure', 'accept endpoints without TLS')
  .action((file, { to, insecure }) => send(file, { to, insecure }));

program
  .command('drain <queue>')
  .option('--limit <n>', 'at most so many messages')
  .option('--dry-run', 'print the messages and send none')
  .action((queue, { limit, dryRun }) => drain(queue, { limit, dryRun }));

program.parse();
