import { once } from 'node:events';
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

const stopping = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) {
  // A second signal must not end the process half-way: npm, a shell and a supervisor may each send one.
  process.on(name, () => {
    if (stopping.signal.aborted) return;
    log.info({ signal: name }, 'pagewright is stopping');
    stopping.abort(new Error(`stopped by ${name}`));
  });
}
const service = await startService({ config, log, redactor, signal: stopping.signal }).catch((error: unknown) => {
  // Whoever asked for the stop got it, however early: that is no failure.
  if (error === stopping.signal.reason) process.exit(0);
  log.fatal({ err: error }, 'pagewright could not start');
  process.exit(1);
});
if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
await service[Symbol.asyncDispose]();
process.exit(0);

function readConfig() {
  try {
    return parseConfig(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
