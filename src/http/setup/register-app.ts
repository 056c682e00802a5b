import { type RegisteredApp, toRegisteredApp, writeAppFile } from '../../config/app-file.ts';

/** Exchanges the code from GitHub's redirect for the App's credentials; undefined if the code is used or expired. */
export type ConvertManifest = (code: string, signal: AbortSignal) => Promise<ConvertedManifest | undefined>;

/** GitHub's answer to a manifest code, which it gives once. */
export type ConvertedManifest = Omit<RegisteredApp, 'githubUrl' | 'webhookSecret'> & { webhookSecret: string | null };

export type Registered =
  | { kind: 'registered'; app: RegisteredApp }
  | { kind: 'expired' }
  /** The answer lacks the private key or the webhook secret. */
  | { kind: 'unusable' }
  /** These two can be retried with the same code. */
  | { kind: 'unanswered'; error: unknown }
  | { kind: 'not-stored'; error: unknown };

/**
 * Fetches the App's credentials and stores them. GitHub returns them once, so credentials that could not be stored are kept in memory for a
 * retry with the same code. Passes every secret to `hideSecret` first.
 */
export function createRegisterApp(options: {
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
