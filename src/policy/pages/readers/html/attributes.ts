import { type Findings, findHost } from '../../page-code.ts';
import { isData } from '../literals.ts';
import { isHtmlElement, isShownAttribute } from './shown-attributes.ts';

/** An element as any of the readers sees it: `tag` null for an attribute list of Markdown, whose element is not known. */
interface Element {
  tag: string | null;
  attributes: readonly (readonly [name: string, value: string])[];
}

const frames = new Set(['iframe', 'frame', 'embed', 'object', 'portal', 'applet', 'fencedframe']);
/** An element of a library may load what it names as a part of the page. */
const isLibraryTag = /^[a-z]\w*-/;
const headTags = new Set(['base', 'link']);
/** They begin with `on`, and no browser takes them for events. */
const notEvents = new Set(
  'on onboard onboarding oncall ondemand one ones once ongoing online only onprem onset onsite onto onward'.split(' '),
);
/** Attributes, and keys of front matter, whose values people read. */
export const texts =
  /(?:^|[-_.:])(?:alt|title|label|description|summary|caption|name|text|heading|headline|tagline|keywords?|tags?|placeholder|details|excerpt|message)$/i;
const moreTexts = /[a-z](?:Title|Label|Description|Caption|Text)$/;
/** Attributes whose value becomes HTML. `v-html` and `set:html` are of Vue and Astro. */
const htmlAttributes = new Set([
  'dangerouslysetinnerhtml',
  'innerhtml',
  'inner-html',
  'outerhtml',
  'outer-html',
  'srcdoc',
  'v-html',
  'set:html',
]);
/** Where the element is not known, of the attributes that libraries run: htmx, Alpine, Angular, hyperscript, Livewire, Datastar, Stimulus. */
const running =
  /^(?:data-)?(?:(?:hx|x|ng|mu|up|ws|sse|on|phx|rv|ic|fx)[-:][\w:.-]+|v-on.*|v-html|wire:.+|bind|_|hs|script|action|controller|signals|effect|init)$|^[@*]\w|^\(.+\)$|^\[.+\]$/;
/** Elements that load or animate what an attribute names. */
const loadingTags = new Set('use image feimage iframe frame object embed script link base set animate'.split(' '));
/** SVG animations write these values into another attribute. */
const animated = new Set(['values', 'to', 'from', 'by']);

/** Finds what is dangerous in any HTML; `value` of an attribute is decoded. */
export function scanElement(findings: Findings, { tag, attributes }: Element): void {
  const name = tag?.toLowerCase() ?? '';
  if (headTags.has(name) || (name === 'meta' && attributes.some(([key]) => /^http-?equiv$/i.test(key)))) {
    findings.add('head', `<${name} ${attributes.map(([key, value]) => `${key}="${value}"`).join(' ')}>`, {
      clue: `<${name}`,
    });
  }
  const isHtml = tag !== null && isHtmlElement(tag);
  for (const attribute of attributes) readAttribute(findings, { tag: name, isHtml }, attribute);
}

function readAttribute(
  findings: Findings,
  { tag, isHtml }: { tag: string; isHtml: boolean },
  [name, value]: readonly [string, string],
): void {
  const key = name.toLowerCase();
  findings.addAddresses(value);
  if (/^on[a-z:]/.test(key) && !notEvents.has(key)) findings.add('event', `${key}="${value}"`, { clue: key });
  if (value !== '' && isRun(key, value, isHtml))
    findings.add('attribute', /^[\w .,%-]*$/.test(value) ? key : `${key}="${value}"`, { clue: key });
  if (key === 'attributename' && /^(?:on|href$|xlink:|src)/i.test(value.trim()))
    findings.add('event', `${key}="${value}"`, { clue: name });
  if (loadingTags.has(tag) && /^data:/i.test(withoutControls(value).trimStart())) findings.add('address', value);
  if (htmlAttributes.has(key)) findings.add('html', `${key}="${value}"`, { clue: name });
  const isText = (texts.test(name) || moreTexts.test(name)) && isSentence(value);
  if ((isScriptAddress(value) && !isText) || (animated.has(key) && /script\s*:/i.test(value)))
    findings.add('address', value);
  const isFrame =
    (frames.has(tag) && ['src', 'data', 'code', 'codebase', 'href'].includes(key)) ||
    (isLibraryTag.test(tag) && ['src', 'data'].includes(key)) ||
    key.endsWith('background-iframe');
  const isForm = ['action', 'formaction'].includes(key);
  if (isFrame || isForm) scanTarget(findings, isForm ? 'form' : 'frame', value);
}

/** Of an element of HTML, every attribute that is not known only to show; a component gets data. */
function isRun(key: string, value: string, isHtml: boolean): boolean {
  if (/^[:#]|^v-/.test(key) && isData(value)) return false;
  return isHtml ? /^[^-=]/.test(key) && !isShownAttribute(key) : running.test(key);
}

/** A page of the site itself has no host. */
export function scanTarget(findings: Findings, what: 'frame' | 'form', address: string): void {
  const host = findTargetHost(address);
  if (host !== undefined) findings.add('frame', `${what} of ${host}`, { clue: host });
  else if (/^[a-z][a-z0-9+.-]*:/i.test(address.trim())) findings.add('address', address);
}

const site = 'https://page.invalid/';

/** As a browser resolves it: `/\\host` and tabs within it lead to another host, too. */
function findTargetHost(address: string): string | undefined {
  if (!URL.canParse(address, site)) return findHost(address.trim());
  const { hostname, protocol } = new URL(address, site);
  return hostname === new URL(site).hostname && protocol === 'https:' ? undefined : hostname || undefined;
}

/**
 * Browsers skip blanks before a scheme, and line breaks and tabs in it: https://url.spec.whatwg.org/#concept-basic-url-parser. Pandoc skips
 * all blanks of Unicode before it, by their names, too. Docusaurus takes away `pathname://`.
 */
export function isScriptAddress(address: string): boolean {
  const written = address.slice(0, 200).replace(/^(?:[^!-~]|&[a-z]\w{1,30};|pathname:\/\/)+/i, '');
  // Most begin with another letter.
  if (!/^[jvldbf]/i.test(written)) return false;
  const start = withoutControls(written).toLowerCase();
  return (
    /^(javascript|vbscript|livescript|data|blob|filesystem):/.test(start) &&
    !/^data:image\/(?!svg)[a-z+]+[;,]/.test(start)
  );
}

/** Whether a text that stands in quotes in a tag ends there, and an event follows. */
export function endsAttribute(text: string): boolean {
  const quote = text.search(/["']/);
  return quote !== -1 && /[\s"'/](?:on[a-z]{3,}|srcdoc|formaction|http-equiv)\s*=/i.test(text.slice(quote));
}

/** Words such as `JavaScript: the basics`. Where an address is expected, they would run. */
export const isSentence = (text: string): boolean => /^\s*[a-z]+:(?:\s|$)/i.test(text);

/** More than browsers take out. */
const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, '');
