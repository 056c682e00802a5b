import type { World } from '../state/world.ts';

const attachment = /\/user-attachments\/assets\/([0-9a-f-]{36})/g;

/** Where an attachment is, for a few minutes: GitHub has a host of its own for it. */
export const signedPath = '/signed-images';

/**
 * What the media type `full` adds to everything that has a body: its HTML, with signed addresses of attachments.
 * https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types
 */
export function addBodyHtml(world: World, { accept, body }: { accept: string; body: unknown }): unknown {
  if (!/^application\/vnd\.github(?:\.v3)?\.full(?:\+json)?$/.test(accept)) return body;
  return Array.isArray(body) ? body.map((item) => withHtml(world, item)) : withHtml(world, body);
}

function withHtml({ webUrl }: World, item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('body' in item) || typeof item.body !== 'string') return item;
  const sign = (_: string, id: string) => `<img src="${webUrl}${signedPath}/7/11-${id}.png?jwt=signed&amp;v=1">`;
  const images = Array.from(item.body.matchAll(attachment), ([whole, id = '']) => sign(whole, id));
  return { ...item, body_html: `<p>${images.join('')}</p>` };
}
