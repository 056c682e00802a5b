import { parseConfig, readEnvironment } from '../../config/config.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { renewSecrets } from '../../outbound/webhooks.ts';
import { openCommandStore } from '../open-command-store.ts';

/** Encrypts the secrets of all webhooks again. Returns the lines to print, and whether some could not be read. */
export async function rotateSecretsKey(
  { isJson }: { isJson: boolean },
  signal: AbortSignal,
): Promise<{ lines: string[]; isLost: boolean }> {
  const config = parseConfig(readEnvironment(), 'keys');
  await using cleanup = new AsyncDisposableStack();
  const { database } = await openCommandStore({ ...config, signal }, cleanup);
  const { seal } = createOutbound(config);
  const found = await renewSecrets({ database, seal });
  const { webhooks, renewed, lost } = found;
  const advice =
    lost.length === 0
      ? 'You can remove the other keys now.'
      : `None of the keys decrypts the secrets of ${lost.join(', ')}: add the key that does, or rotate each with pagewright webhooks rotate.`;
  const lines = [`encrypted the secrets of ${renewed} of ${webhooks} webhooks with the first key`, advice];
  return { lines: isJson ? [JSON.stringify(found)] : lines, isLost: lost.length > 0 };
}
