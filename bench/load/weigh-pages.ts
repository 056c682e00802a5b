import type { CDPSession, Page } from 'playwright-core';

/** What a browser loads for a page, without what it kept of earlier ones. */
export interface Weight {
  /** As they come over the network, compressed. */
  bytes: number;
  scriptBytes: number;
  /** Of the page alone, as the browser reads it. */
  htmlBytes: number;
  requests: number;
  elements: number;
}

/** Follows the network of a tab. */
export async function createScale(tab: Page) {
  const session: CDPSession = await tab.context().newCDPSession(tab);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const kinds = new Map<string, string>();
  let [bytes, scriptBytes, requests] = [0, 0, 0];
  session.on('Network.responseReceived', ({ requestId, type }) => void kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    requests += 1;
    bytes += encodedDataLength;
    if (kinds.get(requestId) === 'Script') scriptBytes += encodedDataLength;
  });
  /** Events of a stream arrive while it is open. */
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (kinds.get(requestId) === 'EventSource') bytes += encodedDataLength;
  });
  const reset = () => {
    [bytes, scriptBytes, requests] = [0, 0, 0];
  };

  return {
    reset,
    read: () => ({ bytes, requests }),
    async weigh(address: string): Promise<Weight> {
      reset();
      const response = await tab.goto(address, { waitUntil: 'load' });
      const htmlBytes = (await response?.body())?.length ?? 0;
      const elements = await tab.evaluate<number>('document.querySelectorAll("*").length');
      return { bytes, scriptBytes, htmlBytes, requests, elements };
    },
  };
}
