import type { RegisteredApp } from '../../config/app-file.ts';
import type { ServiceSettings } from '../../config/config.ts';
import { formatLocalUrl } from '../../config/urls.ts';
import type { Examined } from '../../health/examine.ts';
import type { Log } from '../../log.ts';
import { type Listener, openListener } from '../open-listener.ts';
import { type ConvertManifest, createRegisterApp } from './register-app.ts';
import { createSetupApp } from './setup-app.ts';
import { createOneTimeToken } from './setup-sessions.ts';

/**
 * Serves `/setup` until an App is registered and its credentials are stored in DATA_DIR. Returns the App and the listener, which shows
 * browsers that the service is starting until the service answers on it. Needs no database. Logs the URL with the token once. Throws the
 * signal's reason when aborted.
 */
export async function setUp(options: {
  settings: { host: string; port: number; dataDir: string; github: ServiceSettings['github'] };
  /** PUBLIC_URL; null: not set. */
  publicUrl: string | null;
  convertManifest: ConvertManifest;
  /** Keeps the secret out of all later log lines. */
  hideSecret: (secret: string) => void;
  /** The findings of the doctor without an App. Never throws. */
  examine: (signal: AbortSignal) => Promise<Examined[]>;
  log: Log;
  signal: AbortSignal;
  now?: () => number;
}): Promise<{ app: RegisteredApp; listener: Listener }> {
  const { settings, publicUrl, convertManifest, hideSecret, examine, log, signal, now = Date.now } = options;
  const { host, dataDir, github } = settings;
  const registered = Promise.withResolvers<RegisteredApp>();
  await using cleanup = new AsyncDisposableStack();
  const listener = cleanup.use(await openListener({ host, port: settings.port }));
  // The pages show the port, which is known when the server listens.
  const { port } = listener;
  const baseUrl = publicUrl ?? formatLocalUrl({ host, port });
  const token = createOneTimeToken();
  const registerApp = createRegisterApp({ convertManifest, hideSecret, dataDir, githubUrl: github.webUrl });
  listener.serve(
    createSetupApp({
      githubUrl: github.webUrl,
      publicUrl,
      baseUrl,
      token,
      registerApp,
      examine,
      onRegistered: registered.resolve,
      log,
      signal,
      now,
    }),
  );
  signal.addEventListener('abort', () => registered.reject(signal.reason), { once: true });
  signal.throwIfAborted();

  log.info(
    { port, url: `${baseUrl}/setup?token=${token.value}` },
    'the App is not registered yet: open the url to set pagewright up',
  );
  hideSecret(token.value);
  const app = await registered.promise;
  // The caller owns it from here.
  cleanup.move();
  return { app, listener };
}
