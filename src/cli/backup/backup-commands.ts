import { Command } from 'commander';

/** `pagewright backup`: parses the arguments and passes them to `run`. */
export function createBackupCommand(run: (file: string) => Promise<void>): Command {
  return new Command('backup')
    .summary('write the embedded database to a file, also while the service runs')
    .description(
      `Writes the embedded database of DATA_DIR to FILE, with app.json and secrets.key of that folder. FILE holds everything
that was committed before the command began. The service may be running.

FILE holds secrets: the App's private key, and what callers and the model wrote. Only its owner can read it.`,
    )
    .argument('<FILE>', 'a file that does not exist yet')
    .addHelpText('after', '\nExamples:\n  pagewright backup /backups/pagewright-$(date +%F).backup')
    .action((file: string) => run(file));
}

/** `pagewright restore`: parses the arguments and passes them to `run`. */
export function createRestoreCommand(run: (file: string) => Promise<void>): Command {
  return new Command('restore')
    .summary('put a backup into an empty DATA_DIR')
    .description(
      `Puts the embedded database, app.json and secrets.key of FILE into DATA_DIR, and starts the database once. Replaces nothing:
stop the service first, and move DATA_DIR/postgres away.`,
    )
    .argument('<FILE>', 'what pagewright backup wrote')
    .addHelpText(
      'after',
      '\nExamples:\n  pagewright restore pagewright.backup\n  DATA_DIR=/srv/pagewright pagewright restore pagewright.backup',
    )
    .action((file: string) => run(file));
}
