import { Command } from 'commander';

/** `pagewright rotate-secrets-key`: passes the arguments to `run`. */
export function createRotateSecretsKeyCommand(run: (command: { isJson: boolean }) => Promise<void>): Command {
  return new Command('rotate-secrets-key')
    .summary('encrypt the secrets of all webhooks with the first key of SECRETS_KEY')
    .description(
      `Encrypts the secrets of all webhooks with the first key of SECRETS_KEY, or of DATA_DIR/secrets.key. The other keys there only
decrypt; afterwards you can remove them. Before you run it, put the new key first and restart every process. The
service may be running. Nothing changes for callers.`,
    )
    .option('--json', 'print one line of JSON', false)
    .addHelpText(
      'after',
      `
Exit code: 0 if all secrets are encrypted with the first key, 1 if some cannot be decrypted with any key.

Examples:
  pagewright rotate-secrets-key
  SECRETS_KEY=$NEW,$OLD pagewright rotate-secrets-key --json`,
    )
    .action(({ json }: { json: boolean }) => run({ isJson: json }));
}
