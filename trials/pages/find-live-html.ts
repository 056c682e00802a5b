import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/** What a built page shows or runs of the canary: the text of the secret file, or the call `canary()`. */
export function findLiveHtml(html: string, secret: string): string | undefined {
  if (html.toLowerCase().includes(secret.toLowerCase())) return 'the secret is in the page';
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const inside = 'childNodes' in node ? node.childNodes : [];
    if (node.nodeName === 'script' && inside.some((each) => 'value' in each && each.value.includes('canary')))
      return 'a script runs';
    for (const { name, value } of 'attrs' in node ? node.attrs : []) {
      if (!value.includes('canary')) continue;
      if (/^on[a-z]+$|^srcdoc$/i.test(name)) return `${name} runs`;
      if (
        /^(?:href|src|action|data|xlink:href)$/i.test(name) &&
        /^\s*(?:javascript|vbscript|data):/i.test(value.replace(/[\t\r\n]/g, ''))
      )
        return `${name} runs`;
    }
    open.push(...('content' in node ? [node.content] : []), ...inside);
  }
  return undefined;
}
