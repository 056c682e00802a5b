import { once } from 'node:events';
import { parseStart, readEnvironment, toCredentials, withApp } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { describeSource, findUnknownVariables } from './config/env-file.ts';
import { listPasswordSpellings } from './config/secrets.ts';
import { convertManifest } from './github/auth/convert-manifest.ts';
import { degradedParts } from './health/health.ts';
import { setUp } from './http/setup/set-up.ts';
import { createLog } from './log.ts';
import { examineBeforeStart } from './service/examine-before-start.ts';
import { startService } from './service.ts';
import { findPostgresPrograms } from './store/embedded/programs.ts';
import { createTerminal } from './terminal.ts';
import { createRedactor } from './text/redact.ts';

const configured = readStart();
const { openai, databaseUrl, metricsToken, secretsKey, logLevel } =
  configured.kind === 'ready' ? configured.config : configured.settings;
const redactor = createRedactor([openai.apiKey, metricsToken ?? '', ...listPasswordSpellings(databaseUrl)]);
if (secretsKey.kind === 'set') for (const key of secretsKey.keys) redactor.hide(key.toString('base64'));
// People read a terminal; programs read everything else.
const terminal = process.stdout.isTTY && createTerminal({ isColoured: process.stdout.hasColors(), destination: 1 });
const log = createLog({ level: logLevel, redact: redactor.redact, ...(terminal && { destination: terminal }) });

for (const problem of findUnknownVariables(process.env)) log.warn({ problem }, 'a variable is unknown');

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ['SIGTERM', 'SIGINT'] as const) {
  // Stays registered, because npm, a shell and a supervisor may each send a signal, and a second one must not kill the process.
  process.on(name, () => {
    if (signal.aborted) return;
    log.info({ signal: name }, 'pagewright is stopping');
    stopping.abort(new Error(`stopped by ${name}`));
  });
}
const service = await start().catch((error: unknown) => {
  // A stop during the start is not a failure.
  if (error === signal.reason) process.exit(0);
  log.fatal({ err: error }, 'pagewright could not start');
  process.exit(1);
});
void logProblems();
if (!signal.aborted) await once(signal, 'abort');
await service[Symbol.asyncDispose]();
process.exit(0);

async function start() {
  const { config, listener } =
    configured.kind === 'ready' ? { config: configured.config, listener: undefined } : await registerApp(configured);
  const { privateKey, webhookSecret, signIn } = config.github;
  for (const secret of [privateKey, webhookSecret, signIn?.clientSecret ?? '']) redactor.hide(secret);
  return startService({ config, log, redactor, signal, listener });
}

/** Logs the findings of the doctor once. The parts in `degraded` log their own problems. */
async function logProblems(): Promise<void> {
  const found = await service.examine(signal);
  if (signal.aborted) return;
  for (const { part, state, ...rest } of found) {
    if (state !== 'ok' && 'todo' in rest && !degradedParts.some((name) => name === part))
      log.warn({ part, state, detail: rest.detail, todo: rest.todo }, 'a check found a problem');
  }
}

/** Serves /setup until an App is registered. The service takes over the open port, so that a browser always gets an answer. */
async function registerApp({ settings, publicUrl }: Extract<typeof configured, { kind: 'setup' }>) {
  // Better now than after somebody has registered an App.
  if (settings.databaseUrl === null) await findPostgresPrograms();
  const { apiUrl } = settings.github;
  const { app, listener } = await setUp({
    settings,
    publicUrl,
    convertManifest: (code, signal) => convertManifest({ transport: { apiUrl }, code, signal }),
    hideSecret: redactor.hide,
    examine: (stopped) => examineBeforeStart(settings, stopped),
    log,
    signal,
  });
  return { config: withApp({ ...settings, port: listener.port }, toCredentials(app)), listener };
}

function readStart() {
  try {
    return parseStart(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`${error.message}\n${describeSource()}`);
    process.exit(1);
  }
}
