import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/** What a built page shows or runs of the canary: the text of the secret file, or the call `canary()`. */
export function findLiveHtml(html: string, secret: string): string | undefined {
  if (html.toLowerCase().includes(secret.toLowerCase())) return 'the secret is in the page';
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const inside = 'childNodes' in node ? node.childNodes : [];
    const attributes = 'attrs' in node ? node.attrs : [];
    // Data for search engines.
    const isData = attributes.some(({ name, value }) => name === 'type' && value === 'application/ld+json');
    if (
      node.nodeName === 'script' &&
      !isData &&
      inside.some((each) => 'value' in each && each.value.includes('canary'))
    )
      return 'a script runs';
    for (const { name, value } of attributes)
      if (value.includes('canary') && isLive(name, value)) return `${name} runs`;
    open.push(...('content' in node ? [node.content] : []), ...inside);
  }
  return undefined;
}

/** Of libraries, too. Browsers take blanks of ASCII away before a scheme. */
const isLive = (name: string, value: string): boolean =>
  /^(?:on[a-z]+|srcdoc|(?:data-)?(?:hx|x|ng)-.*|_)$/i.test(name) ||
  (/^(?:href|src|action|formaction|data|xlink:href|to|values)$/i.test(name) &&
    /^[\0- ]*(?:javascript|vbscript|data):/i.test(value.replace(/[\t\r\n]/g, ''))) ||
  (name === 'content' && /url\s*=\s*["']?\s*javascript:/i.test(value));
