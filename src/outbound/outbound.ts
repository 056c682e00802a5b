import { loadSecretsKeys, type SecretsKey } from '../config/secrets.ts';
import type { AllowedHosts } from '../config/urls.ts';
import { realTiming, type Timing } from '../timing.ts';
import { createPost, type Post } from './post.ts';
import { createSeal, type Seal } from './seal.ts';
import { type Resolve, resolveBySystem } from './webhook-url.ts';

export interface Outbound {
  seal: Seal;
  post: Post;
  allowed: AllowedHosts;
  resolve: Resolve;
  timing: Timing['outbound'];
}

export function createOutbound(options: {
  secretsKey: SecretsKey;
  webhookAllowedHosts: AllowedHosts;
  /** As `readProxies` returns them. */
  proxies?: Readonly<Record<string, string>>;
  resolve?: Resolve;
  timing?: Timing['outbound'];
}): Outbound {
  const { secretsKey, webhookAllowedHosts: allowed } = options;
  const { proxies = {}, resolve = resolveBySystem, timing = realTiming.outbound } = options;
  const seal = createSeal(() => loadSecretsKeys(secretsKey));
  return { seal, post: createPost({ allowed, resolve, proxies, timeoutMs: timing.postMs }), allowed, resolve, timing };
}
