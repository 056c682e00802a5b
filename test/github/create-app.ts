import { inject } from 'vitest';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import type { Transport } from '../../src/github/client/transport.ts';

/** The key of the App that `createApp` makes. */
export const privateKey = inject('privateKey');

/** App 5, which does not pause between its tries. */
export const createApp = (transport: Partial<Transport & { webUrl: string }> = {}) =>
  createGitHubApp({ appId: '5', privateKey, apiUrl: 'https://api.github.com', retryDelaysMs: [0, 0], ...transport });
