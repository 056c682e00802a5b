import { ConfigError, parseConfig, readEnvironment } from './config.ts';
import { createLog } from './log.ts';
import { startService } from './service.ts';
import { createRedactor } from './text/redact.ts';

const config = readConfig();
const { github, openai, databaseUrl } = config;
const redactor = createRedactor([github.privateKey, github.webhookSecret, github.clientSecret ?? '', openai.apiKey]);
const password = databaseUrl === null ? '' : decodeURIComponent(new URL(databaseUrl).password);
if (password !== '') redactor.hide(password);
const log = createLog({ level: config.logLevel, redact: redactor.redact });

try {
  const service = await startService({ config, log, redactor });
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    // A second signal must not end the process half-way: npm, a shell and a supervisor may each send one.
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'pagewright is stopping');
    await service[Symbol.asyncDispose]();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  log.fatal({ err: error }, 'pagewright could not start');
  process.exit(1);
}

function readConfig() {
  try {
    return parseConfig(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
