import { inject } from 'vitest';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import type { Transport } from '../../src/github/client/transport.ts';

/** The private key of `createApp`'s App. */
export const privateKey = inject('privateKey');

/** App 5, without pauses between tries. */
export const createApp = (transport: Partial<Transport & { webUrl: string }> = {}) =>
  createGitHubApp({ appId: '5', privateKey, apiUrl: 'https://api.github.com', retryDelaysMs: [0, 0], ...transport });
