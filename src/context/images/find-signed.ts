const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const longestAddress = 8_000;

/**
 * Where GitHub signs the addresses of what people drop into a comment. On GitHub Enterprise Server, it is the server itself, or its subdomain
 * for media. https://docs.github.com/en/enterprise-server/admin/configuring-settings/hardening-security-for-your-enterprise/enabling-subdomain-isolation
 */
export function listImageOrigins(webUrl: string): string[] {
  const { protocol, host, origin } = new URL(webUrl);
  return origin === 'https://github.com'
    ? ['https://private-user-images.githubusercontent.com']
    : [origin, `${protocol}//media.${host}`];
}

/**
 * The signed address of an attachment, from the HTML that GitHub makes of the text. Only one that has the id of the attachment, and only at
 * one of the origins. Linear.
 */
export function findSigned(
  rendered: string,
  { address, origins }: { address: string; origins: readonly string[] },
): string | undefined {
  const id = uuid.exec(address)?.[0].toLowerCase();
  if (id === undefined) return undefined;
  const signed = origins.flatMap((origin) => listAddresses(rendered, `${origin}/`));
  return signed.find((url) => new URL(url).search !== '' && new URL(url).pathname.toLowerCase().includes(id));
}

function listAddresses(rendered: string, start: string): string[] {
  const found: string[] = [];
  for (let at = rendered.indexOf(`"${start}`); at >= 0; at = rendered.indexOf(`"${start}`, at + 1)) {
    const rest = rendered.slice(at + 1, at + 1 + longestAddress);
    const end = rest.indexOf('"');
    const url = rest.slice(0, Math.max(end, 0)).replaceAll('&amp;', '&');
    if (url !== '' && URL.canParse(url)) found.push(url);
  }
  return found;
}
