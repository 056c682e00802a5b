import { type RegisteredApp, toRegisteredApp, writeAppFile } from '../../config/app-file.ts';
import type { ServiceSettings } from '../../config/config.ts';
import { formatLocalUrl } from '../../config/urls.ts';
import type { Examined } from '../../health/examine.ts';
import type { Log } from '../../log.ts';
import { type Listener, openListener } from '../open-listener.ts';
import { createSetupApp, type Registered } from './setup-app.ts';
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
}): Promise<{ app: RegisteredApp; listener: Listener }> {
  const { settings, publicUrl, convertManifest, hideSecret, examine, log, signal } = options;
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

/** Exchanges the code from GitHub's redirect for the App's credentials; undefined if the code is used or expired. */
export type ConvertManifest = (code: string, signal: AbortSignal) => Promise<ConvertedManifest | undefined>;

/** GitHub's answer to a manifest code, which it gives once. */
export type ConvertedManifest = Omit<RegisteredApp, 'githubUrl' | 'webhookSecret'> & { webhookSecret: string | null };

/**
 * Fetches the App's credentials and stores them. GitHub returns them once, so credentials that could not be stored are kept in memory for a
 * retry with the same code. Passes every secret to `hideSecret` first.
 */
function createRegisterApp(options: {
  convertManifest: ConvertManifest;
  hideSecret: (secret: string) => void;
  dataDir: string;
  githubUrl: string;
}): (code: string, signal: AbortSignal) => Promise<Registered> {
  const { convertManifest, hideSecret, dataDir, githubUrl } = options;
  const unstored = new Map<string, RegisteredApp>();

  async function convert(code: string, signal: AbortSignal): Promise<Registered> {
    const converted = await convertManifest(code, signal).catch((error: unknown) => ({ error }));
    if (converted === undefined) return { kind: 'expired' };
    if ('error' in converted) return { kind: 'unanswered', error: converted.error };
    const { privateKey, webhookSecret, clientSecret } = converted;
    for (const secret of [privateKey, webhookSecret, clientSecret]) hideSecret(secret ?? '');
    const app = toRegisteredApp({ ...converted, githubUrl });
    return app ? { kind: 'registered', app } : { kind: 'unusable' };
  }

  return async (code, signal) => {
    const kept = unstored.get(code);
    const result: Registered = kept ? { kind: 'registered', app: kept } : await convert(code, signal);
    if (result.kind !== 'registered') return result;
    try {
      await writeAppFile(dataDir, result.app);
    } catch (error) {
      unstored.set(code, result.app);
      return { kind: 'not-stored', error };
    }
    return result;
  };
}
