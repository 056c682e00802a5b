import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Node = DefaultTreeAdapterMap['childNode'];

interface Element {
  name: string;
  attributes: Map<string, string>;
}

/** All elements, as a browser reads the page. */
function listElements(text: string): Element[] {
  const walk = (node: Node): Element[] =>
    'tagName' in node
      ? [
          { name: node.tagName, attributes: new Map(node.attrs.map(({ name, value }) => [name, value])) },
          ...node.childNodes.flatMap(walk),
        ]
      : [];
  return parse(text).childNodes.flatMap(walk);
}

/** What hostile text made of a page of the dashboard: each element that is none of the page's own. */
export const findPageDamage = (text: string): string[] =>
  listElements(text).flatMap((element) => (isHarmless(element) ? [] : [describe(element)]));

const describe = ({ name, attributes }: Element) => `${name} ${JSON.stringify([...attributes])}`.slice(0, 200);

const strange = ['iframe', 'frame', 'object', 'embed', 'base', 'style', 'applet', 'portal', 'math', 'audio', 'video'];

function isHarmless({ name, attributes }: Element): boolean {
  const source = attributes.get('src') ?? attributes.get('srcset') ?? attributes.get('xlink:href');
  const address = attributes.get('href') ?? attributes.get('action') ?? attributes.get('formaction') ?? '';
  const keys = [...attributes.keys()];
  return (
    (source === undefined || /^\/assets\/\w+\/[\w.]+$/.test(source) || (name === 'img' && isOwnImage(source))) &&
    /^(?:$|[/?#](?!\/)|https?:\/\/)/.test(address) &&
    !strange.includes(name) &&
    !keys.some((key) => key.startsWith('on') || ['style', 'srcdoc', 'http-equiv', 'ping'].includes(key)) &&
    (name !== 'script' || source !== undefined) &&
    (name !== 'svg' || isDrawing(attributes))
  );
}

/** Of the repository, as a preview shows it. */
const isOwnImage = (source: string) =>
  /^\/projects\/\w+\/jobs\/\w+\/images\/[0-9a-f]{40}\?path=[\w%+.*-]+$/.test(source);

/** An icon, or the chart. */
const isDrawing = (attributes: ReadonlyMap<string, string>) =>
  /^icon(?: turning)?$/.test(attributes.get('class') ?? '') || attributes.get('role') === 'img';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** What an answer of the dashboard lacks to keep a browser safe, even if hostile text became an element. */
export function findHeaderFault(headers: Headers): string | undefined {
  const sent = headers.get('content-security-policy') ?? '';
  const parts = sent.split(';').map((part) => part.trim());
  const missing = policy.find((part) => !parts.includes(part));
  if (missing !== undefined) return `its Content-Security-Policy lacks ${missing}`;
  if (/unsafe|\*|data:|https?:/.test(sent)) return `its Content-Security-Policy allows too much: ${sent}`;
  if (headers.get('x-content-type-options') !== 'nosniff') return 'a browser may guess its type';
  const isKept = !/no-store|immutable/.test(headers.get('cache-control') ?? '');
  return isKept ? 'a browser may keep it' : undefined;
}
