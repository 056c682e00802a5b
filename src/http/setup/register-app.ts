import { type RegisteredApp, toRegisteredApp, writeAppFile } from '../../config/app-file.ts';

/** Trades the code that GitHub gave the browser for the App's credentials; undefined when it is used or too old. */
export type ConvertManifest = (code: string, signal: AbortSignal) => Promise<ConvertedManifest | undefined>;

/** An App as GitHub hands it out, once. */
export type ConvertedManifest = Omit<RegisteredApp, 'githubUrl' | 'webhookSecret'> & { webhookSecret: string | null };

export type Registered =
  | { kind: 'registered'; app: RegisteredApp }
  | { kind: 'expired' }
  /** GitHub's answer lacks what it takes to work with the App. */
  | { kind: 'unusable' }
  /** Both can be tried again with the same code. */
  | { kind: 'unanswered'; error: unknown }
  | { kind: 'not-stored'; error: unknown };

/**
 * Fetches the App's credentials and stores them. GitHub gives them out once, so those that could not be stored are kept for the next
 * try with their code. Every secret is given to `hideSecret` before anything else is done with it.
 */
export function createRegisterApp({
  convertManifest,
  hideSecret,
  dataDir,
  githubUrl,
}: {
  convertManifest: ConvertManifest;
  hideSecret: (secret: string) => void;
  dataDir: string;
  githubUrl: string;
}): (code: string, signal: AbortSignal) => Promise<Registered> {
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
