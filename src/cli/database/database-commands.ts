import { Command } from 'commander';

export type DatabaseCommand =
  | { kind: 'backup' | 'restore'; file: string; isJson: boolean }
  | { kind: 'move'; isJson: boolean };

type Run = (command: DatabaseCommand) => Promise<void>;

/** `pagewright backup`: parses the arguments and passes them to `run`. */
export function createBackupCommand(run: Run): Command {
  return new Command('backup')
    .summary('write the embedded database to a file, also while the service runs')
    .description(
      `Writes the embedded database of DATA_DIR to FILE, with app.json and secrets.key of that folder. FILE holds everything
that was committed before the command started. The service may be running.

FILE holds secrets: the App's private key, and texts of callers and the model. Only its owner can read it.`,
    )
    .argument('<FILE>', 'a file that does not exist yet')
    .option('--json', 'print one line of JSON', false)
    .addHelpText('after', '\nExamples:\n  pagewright backup /backups/pagewright-$(date +%F).backup')
    .action((file: string, { json }: { json: boolean }) => run({ kind: 'backup', file, isJson: json }));
}

/** `pagewright restore`: parses the arguments and passes them to `run`. */
export function createRestoreCommand(run: Run): Command {
  return new Command('restore')
    .summary('put a backup into an empty DATA_DIR')
    .description(
      `Puts the embedded database, app.json and secrets.key of FILE into DATA_DIR, and starts the database once. Replaces nothing:
stop the service first, and move DATA_DIR/postgres away.`,
    )
    .argument('<FILE>', 'a file of pagewright backup')
    .option('--json', 'print one line of JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  pagewright restore pagewright.backup\n  DATA_DIR=/srv/pagewright pagewright restore pagewright.backup',
    )
    .action((file: string, { json }: { json: boolean }) => run({ kind: 'restore', file, isJson: json }));
}

/** `pagewright move-database`: parses the arguments and passes them to `run`. */
export function createMoveDatabaseCommand(run: Run): Command {
  return new Command('move-database')
    .summary('move the embedded database to the PostgreSQL server of DATABASE_URL')
    .description(
      `Copies the embedded database of DATA_DIR to the empty database that DATABASE_URL names (PostgreSQL 14 to 18), and compares
every row. Stop the service first. All or nothing: if it fails, the embedded database stays the same. Afterwards, the
embedded database no longer starts, so that nobody writes to it by mistake; remove DATA_DIR/postgres when you no longer
need it.`,
    )
    .option('--json', 'print one line of JSON', false)
    .addHelpText(
      'after',
      `
Examples:
  pagewright move-database
  DATABASE_URL=postgresql://pagewright@db.example.com/pagewright pagewright move-database`,
    )
    .action(({ json }: { json: boolean }) => run({ kind: 'move', isJson: json }));
}
