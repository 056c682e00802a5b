/** Keys by which a page chooses its address, in one of the frameworks: where its file is written. */
const keys = new Set(
  `permalink permalinkpattern alias aliases redirect_from redirect_to redirect redirects url slug path output outputpath output_path filename file
  destination save_as saveas override_path route fullpath originalurl to`.split(/\s+/),
);

export const isOutput = (key: string): boolean => keys.has(key.toLowerCase());

/** Whether an address is more than a page of the site: another host, a folder above, a template, a file that is no page. */
export function leavesSite(written: string): boolean {
  const value = written.trim();
  if (/^https:\/\/[\w.-]+(?:\/[\w./~%#?=&+-]*)?$/.test(value)) return value.includes('..');
  if (/\p{Cc}|[\\{}<>|"'`$*;]|%(?:2e|2f|5c|00)/iu.test(value) || /^[a-z][a-z0-9+.-]*:(?!\w+(?:\/|$))/i.test(value))
    return true;
  const path = value.replace(/[#?].*$/s, '');
  if (path.startsWith('//')) return true;
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.some((part) => part.startsWith('.') && part !== '.')) return true;
  const [, ending] = /\.([a-z]\w*)$/i.exec(parts.at(-1) ?? '') ?? [];
  return ending !== undefined && !/^(?:html?|mdx?|xhtml|php|aspx?|rst|adoc|txt|xml|json)$/i.test(ending);
}
