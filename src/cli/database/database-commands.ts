import { Command } from 'commander';

export type DatabaseCommand =
  | { kind: 'backup' | 'restore'; file: string; isJson: boolean }
  | { kind: 'move'; isJson: boolean };

/** `pagewright backup`, `restore` and `move-database`: parse the arguments and pass them to `run`. */
export function createDatabaseCommands(run: (command: DatabaseCommand) => Promise<void>): Command[] {
  const create = (name: string, summary: string) =>
    new Command(name).summary(summary).option('--json', 'print one line of JSON', false);
  const runOnFile =
    (kind: 'backup' | 'restore') =>
    (file: string, { json }: { json: boolean }) =>
      run({ kind, file, isJson: json });
  return [
    create('backup', 'write the embedded database to a file, also while the service runs')
      .description(
        `Writes the embedded database of DATA_DIR to FILE, with app.json and secrets.key of that folder. FILE holds everything
that was committed before the command started. The service may be running.

FILE holds secrets: the App's private key, and texts of callers and the model. Only its owner can read it.`,
      )
      .argument('<FILE>', 'a file that does not exist yet')
      .addHelpText('after', '\nExamples:\n  pagewright backup /backups/pagewright-$(date +%F).backup')
      .action(runOnFile('backup')),
    create('restore', 'put a backup into an empty DATA_DIR')
      .description(
        `Puts the embedded database, app.json and secrets.key of FILE into DATA_DIR, and starts the database once. Replaces nothing:
stop the service first, and move DATA_DIR/postgres away.`,
      )
      .argument('<FILE>', 'a file of pagewright backup')
      .addHelpText(
        'after',
        '\nExamples:\n  pagewright restore pagewright.backup\n  DATA_DIR=/srv/pagewright pagewright restore pagewright.backup',
      )
      .action(runOnFile('restore')),
    create('move-database', 'move the embedded database to the PostgreSQL server of DATABASE_URL')
      .description(
        `Copies the embedded database of DATA_DIR to the empty database that DATABASE_URL names (PostgreSQL 14 to 18), and compares
every row. Stop the service first. All or nothing: if it fails, the embedded database stays the same. Afterwards, the
embedded database no longer starts, so that nobody writes to it by mistake; remove DATA_DIR/postgres when you no longer
need it.`,
      )
      .addHelpText(
        'after',
        `
Examples:
  pagewright move-database
  DATABASE_URL=postgresql://pagewright@db.example.com/pagewright pagewright move-database`,
      )
      .action(({ json }: { json: boolean }) => run({ kind: 'move', isJson: json })),
  ];
}
