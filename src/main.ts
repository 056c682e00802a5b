import { once } from 'node:events';
import { type Config, ConfigError, parseStart, readEnvironment, toCredentials, withApp } from './config/config.ts';
import { listPasswordForms } from './config/password-forms.ts';
import { convertManifest } from './github/auth/convert-manifest.ts';
import { setUp } from './http/setup/set-up.ts';
import { createLog } from './log.ts';
import { startService } from './service.ts';
import { createRedactor } from './text/redact.ts';

const begun = readStart();
const { openai, databaseUrl, metricsToken, logLevel } = begun.kind === 'ready' ? begun.config : begun.settings;
const redactor = createRedactor([openai.apiKey, metricsToken ?? '', ...listPasswordForms(databaseUrl)]);
const log = createLog({ level: logLevel, redact: redactor.redact });

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ['SIGTERM', 'SIGINT'] as const) {
  // A second signal must not end the process half-way: npm, a shell and a supervisor may each send one.
  process.on(name, () => {
    if (signal.aborted) return;
    log.info({ signal: name }, 'pagewright is stopping');
    stopping.abort(new Error(`stopped by ${name}`));
  });
}
const service = await start().catch((error: unknown) => {
  // Whoever asked for the stop got it, however early: that is no failure.
  if (error === signal.reason) process.exit(0);
  log.fatal({ err: error }, 'pagewright could not start');
  process.exit(1);
});
if (!signal.aborted) await once(signal, 'abort');
await service[Symbol.asyncDispose]();
process.exit(0);

async function start() {
  const config = begun.kind === 'ready' ? begun.config : await registerFirst(begun);
  const { privateKey, webhookSecret } = config.github;
  for (const secret of [privateKey, webhookSecret]) redactor.hide(secret);
  return startService({ config, log, redactor, signal });
}

/** The service goes on at the port that the set-up was served at, whichever it got. */
async function registerFirst({ settings, publicUrl }: Extract<typeof begun, { kind: 'setup' }>): Promise<Config> {
  const { apiUrl } = settings.github;
  const { app, port } = await setUp({
    settings,
    publicUrl,
    convertManifest: (code, signal) => convertManifest({ transport: { apiUrl }, code, signal }),
    hideSecret: redactor.hide,
    log,
    signal,
  });
  return withApp({ ...settings, port }, toCredentials(app));
}

function readStart() {
  try {
    return parseStart(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
