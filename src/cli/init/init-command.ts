import { Command } from 'commander';

export interface InitCommand {
  file: string;
  /** By the name of their variable. */
  given: Record<string, string>;
  /** Whether a person answers; otherwise everything comes from options and the environment. */
  isAsking: boolean;
}

interface Options {
  file: string;
  model?: string;
  modelServer?: string;
  publicUrl?: string;
  databaseUrl?: string;
  yes: boolean;
}

/** `pagewright init`: parses the arguments and passes them to `run`. */
export function createInitCommand(run: (command: InitCommand) => Promise<void>): Command {
  return new Command('init')
    .summary('write .env: ask for the model and the address, and test both')
    .description(
      `Asks for the model, its key and the address of the service, tests them as doctor does, and writes them into .env. Other lines of the
file stay. The key is never an option: it comes from the question or from OPENAI_API_KEY in the environment.`,
    )
    .option('--model <name>', 'OPENAI_MODEL: the model that edits')
    .option('--model-server <url>', "OPENAI_BASE_URL: a server that speaks OpenAI's protocol, if not OpenAI")
    .option('--public-url <url>', 'PUBLIC_URL: the https address at which GitHub reaches the service')
    .option('--database-url <url>', 'DATABASE_URL: a PostgreSQL of yours, if not the one that comes along')
    .option('--file <path>', 'the file to write', '.env')
    .option('-y, --yes', 'ask nothing: for programs', false)
    .addHelpText(
      'after',
      `
Exit code: 0 when the file is written, 1 if a test says that something is broken, 2 if a value is missing or malformed.

Examples:
  pagewright init
  OPENAI_API_KEY=… pagewright init --yes --model gpt-5 --public-url https://docs-bot.example.com`,
    )
    .action(({ file, yes, model, modelServer, publicUrl, databaseUrl }: Options) => {
      const given = {
        OPENAI_MODEL: model,
        OPENAI_BASE_URL: modelServer,
        PUBLIC_URL: publicUrl,
        DATABASE_URL: databaseUrl,
      };
      return run({
        file,
        isAsking: !yes,
        given: Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))),
      });
    });
}
