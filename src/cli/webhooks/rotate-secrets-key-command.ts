import { Command } from 'commander';

/** `pagewright rotate-secrets-key`: passes the arguments to `run`. */
export function createRotateSecretsKeyCommand(run: (command: { isJson: boolean }) => Promise<void>): Command {
  return new Command('rotate-secrets-key')
    .summary('encrypt the secrets of all webhooks with the first key of SECRETS_KEY')
    .description(
      `Encrypts the secrets of all webhooks with the first key of SECRETS_KEY, or of DATA_DIR/secrets.key. The other keys there only
decrypt; afterwards you can remove them. Run it after every process was restarted with the new key first. The
service may be running. Nothing changes for callers.`,
    )
    .option('--json', 'print one line of JSON', false)
    .addHelpText(
      'after',
      `
Exit code: 0 when all secrets have the first key, 1 if none of the keys decrypts some of them.

Examples:
  pagewright rotate-secrets-key
  SECRETS_KEY=$NEW,$OLD pagewright rotate-secrets-key --json`,
    )
    .action(({ json }: { json: boolean }) => run({ isJson: json }));
}
