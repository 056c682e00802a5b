import { frameworks } from './frameworks/frameworks.ts';
import { findMarked } from './frameworks/marked.ts';
import { isWrittenPage } from './page-extensions.ts';

const isImage = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i;
const places = frameworks.flatMap(({ data = [], code }) =>
  [...data, ...(code?.files ?? [])].flatMap(({ path }) => (path === undefined ? [] : [path])),
);

/** Whether a change of this file may change what readers of a documentation see: its pages, their images, and what configures a site. */
export function isDocumentation(path: string): boolean {
  if (isWrittenPage(path) || isImage.test(path) || findMarked(path).length > 0) return true;
  const names = path.toLowerCase().split('/');
  return names.some((_, index) => places.some((place) => place.test(names.slice(index).join('/'))));
}
