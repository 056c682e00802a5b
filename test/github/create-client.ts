import { createRepositoryClient } from '../../src/github/calls/repository-client.ts';
import type { Transport } from '../../src/github/client/transport.ts';

/** A client of acme/docs, without pauses between tries. */
export function createClient({
  signal = new AbortController().signal,
  isKept = false,
  ...transport
}: Partial<Transport> & { signal?: AbortSignal; isKept?: boolean } = {}) {
  return createRepositoryClient({
    transport: { apiUrl: 'https://api.github.com', retryDelaysMs: [0, 0], ...transport },
    appId: 5,
    fetchBotLogin: async () => 'pagewright[bot]',
    installationId: 9,
    owner: 'acme',
    repo: 'docs',
    repositoryId: 42,
    token: 'ghs_5_a.b.c',
    permissions: { contents: 'write', pull_requests: 'read' },
    isKept,
    signal,
  });
}
