/** The addresses that texts of a run may link to. Plain data, so that a thread can receive it. */
export interface OutgoingContext {
  /** The address of the repository's page: https://github.com/acme/docs. */
  repository: string;
  /** Hosts besides GitHub: of the links in the base's pages and in the messages of the job. */
  allowedHosts: readonly string[];
  /** Issues and pull requests of the repository that texts may refer to as `#12`. Default: none. */
  references?: readonly number[] | 'all' | undefined;
  /** Markdown becomes a code block: parsing takes too long. */
  isShownAsWritten?: boolean;
}

/** Without escapes and character references, which two renderers might read in two ways. */
const plainDestination = /^(?:[\w\-.~:/?#@!$'()*+,;=%]|[^\p{ASCII}\s]|&(?![a-z0-9#]+;))*$/iu;

/** http and https to GitHub and to allowed hosts. Relative addresses lead to GitHub. */
export function isAllowedLink(destination: string, context: OutgoingContext): boolean {
  const url = parseDestination(destination, context);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return false;
  if (url.host === new URL(context.repository).host && isGrantPage(url)) return false;
  return url.host === new URL(context.repository).host || context.allowedHosts.includes(url.host);
}

/**
 * Pages of GitHub where one click grants access: authorizing an App, installing it, entering the code of a device, settings of accounts. Their
 * host earns trust that what the link asks for does not.
 */
function isGrantPage({ pathname }: URL): boolean {
  // As a server decodes it.
  const decoded = pathname.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return grantPage.test(decoded.replaceAll(/[/\\]+/g, '/'));
}

const grantPage =
  /^\/(?:login|sessions?|logout|join|signup|settings|new|github-apps|apps\/[^/]+\/installations|marketplace\/[^/]+\/(?:order|upgrade)|(?:organizations|enterprises)\/[^/]+\/settings|orgs\/[^/]+\/(?:invitation|settings|policies))(?:\/|$)/i;

/** Only files of the repository, as https://github.com/acme/docs/raw/main/a.png. */
export function isAllowedImage(destination: string, context: OutgoingContext): boolean {
  const url = parseDestination(destination, context);
  const repository = new URL(context.repository);
  if (url === undefined || url.protocol !== repository.protocol || /%(?:2f|5c)/i.test(url.pathname)) return false;
  const path = url.pathname.toLowerCase();
  const files = repository.pathname.toLowerCase();
  if (url.host === repository.host) return path.startsWith(`${files}/raw/`) || path.startsWith(`${files}/blob/`);
  return repository.host === 'github.com' && url.host === rawHost && path.startsWith(`${files}/`);
}

const rawHost = 'raw.githubusercontent.com';

/** An issue, a pull request or a discussion. A closing keyword before its address closes it. */
export function isConversation(destination: string, context: OutgoingContext): boolean {
  const url = parseDestination(destination, context);
  return url !== undefined && conversation.test(url.pathname);
}

/** A link to a conversation of another repository on GitHub would be listed there. */
export function isForeignConversation(destination: string, context: OutgoingContext): boolean {
  const url = parseDestination(destination, context);
  const repository = new URL(context.repository);
  const [, path = ''] = conversation.exec(url?.pathname ?? '') ?? [];
  return url?.host === repository.host && path !== '' && path.toLowerCase() !== repository.pathname.toLowerCase();
}

const conversation = /^(.*)\/(?:issues|pulls?|discussions)\/\d/i;

/** More references in one text say nothing to a reader, and stand on each of those pages. */
const maxReferences = 5;

/** Tells which references of one text stay: `#12`, alone and after words that close nothing. `before`: the text up to it. */
export function createReferenceTest({ references = [] }: OutgoingContext) {
  const kept = new Set<string>();
  return ({ written, before }: { written: string; before: string }): boolean => {
    const [, number] = /^#(\d{1,9})$/.exec(written) ?? [];
    if (number === undefined || !(references === 'all' || references.includes(Number(number)))) return false;
    // At the beginning, what another text ends with may stand before it.
    if (!/[a-z0-9]/i.test(before.slice(-maxWord)) || isAfterKeyword(before)) return false;
    if (kept.size >= maxReferences && !kept.has(number)) return false;
    kept.add(number);
    return true;
  };
}

const maxWord = 200;

/** https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue */
export function isAfterKeyword(before: string): boolean {
  let end = before.length;
  while (end > 0 && !/[a-z0-9]/i.test(before.charAt(end - 1))) end -= 1;
  return /(?:^|[^a-z0-9])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)$/i.test(before.slice(Math.max(0, end - 10), end));
}

function parseDestination(destination: string, { repository }: OutgoingContext): URL | undefined {
  // What follows is meant as a host, and would be a path on GitHub.
  if (!plainDestination.test(destination) || /^(?:www\.|https?:(?!\/\/))/i.test(destination)) return undefined;
  const url = URL.parse(destination, `${repository}/pull/1`);
  return url === null || url.username !== '' || url.password !== '' ? undefined : url;
}

/** The hosts that a text names in addresses such as https://acme.dev/a and www.acme.dev. */
export function findHosts(text: string): string[] {
  const addresses = text.match(/\b(?:https?:\/\/|www\.)[^\s<>()[\]"'`\\]+/gi) ?? [];
  const hosts = addresses.flatMap((address) => {
    const url = URL.parse(/^www\./i.test(address) ? `http://${address}` : address);
    return url === null || url.username !== '' ? [] : url.host.replace(/\.$/, '');
  });
  return [...new Set(hosts)];
}
