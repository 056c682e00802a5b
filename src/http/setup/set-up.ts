import type { RequestListener } from 'node:http';
import type { RegisteredApp } from '../../config/app-file.ts';
import type { Settings } from '../../config/config.ts';
import { formatLocalUrl } from '../../config/urls.ts';
import type { Examined } from '../../health/examine.ts';
import type { Log } from '../../log.ts';
import { realTiming } from '../../timing.ts';
import { createHttpServer } from '../create-http-server.ts';
import { listen } from '../listen.ts';
import { type ConvertManifest, createRegisterApp } from './register-app.ts';
import { createSetupApp } from './setup-app.ts';
import { createOneTimeToken } from './setup-sessions.ts';

/**
 * Serves `/setup` until an App is registered and its credentials are stored in DATA_DIR. Returns the App and the port. Until it is disposed,
 * browsers are told that the service starts; then the port is free. Needs no database. Logs the URL with the token once. Throws the signal's
 * reason when aborted.
 */
export async function setUp({
  settings,
  publicUrl,
  convertManifest,
  hideSecret,
  examine,
  log,
  signal,
  now = Date.now,
}: {
  settings: Pick<Settings, 'host' | 'port' | 'dataDir' | 'github'>;
  /** PUBLIC_URL; null: not set. */
  publicUrl: string | null;
  convertManifest: ConvertManifest;
  /** Keeps the secret out of all later log lines. */
  hideSecret: (secret: string) => void;
  /** What the doctor finds without an App. Never throws. */
  examine: (signal: AbortSignal) => Promise<Examined[]>;
  log: Log;
  signal: AbortSignal;
  now?: () => number;
}): Promise<AsyncDisposable & { app: RegisteredApp; port: number }> {
  const { host, dataDir, github } = settings;
  const registered = Promise.withResolvers<RegisteredApp>();
  await using cleanup = new AsyncDisposableStack();
  // The pages show the port, which is known when the server listens.
  const pages = Promise.withResolvers<RequestListener>();
  const server = createHttpServer(async (request, response) => (await pages.promise)(request, response));
  const { port } = cleanup.use(
    await listen(server, { host, port: settings.port, drainMs: realTiming.shutdown.setupDrainMs }),
  );
  const baseUrl = publicUrl ?? formatLocalUrl({ host, port });
  const { value: token, redeem } = createOneTimeToken();
  const registerApp = createRegisterApp({ convertManifest, hideSecret, dataDir, githubUrl: github.webUrl });
  pages.resolve(
    createSetupApp({
      githubUrl: github.webUrl,
      publicUrl,
      baseUrl,
      redeemToken: redeem,
      registerApp,
      examine,
      onRegistered: registered.resolve,
      log,
      signal,
      now,
    }),
  );
  const stop = () => registered.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  cleanup.defer(() => signal.removeEventListener('abort', stop));
  signal.throwIfAborted();

  log.info(
    { port, url: `${baseUrl}/setup?token=${token}` },
    'the App is not registered yet: open the url to set pagewright up',
  );
  hideSecret(token);
  const app = await registered.promise;
  const held = cleanup.move();
  return { app, port, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
