import { closesFence, findOpeningFence, type OpeningFence, splitCodeSpans } from './markdown-code.ts';

const maxAltLength = 1_000;
const maxTagLength = 4_000;
const image = /^[^\s()<>]{1,2000}/;
const source = /\bsrc=["']?([^"'\s>]{1,2000})/i;
/** GitHub's addresses of what people drop into a comment. */
const attachment =
  /https:\/\/(?:github\.com\/user-attachments\/assets|(?:private-)?user-images\.githubusercontent\.com)\/[\w./%-]+/g;

/** The addresses of a text's images outside of code, each once: of Markdown, of HTML, and bare attachments of GitHub. Linear. */
export function listImages(text: string): string[] {
  const prose = readProse(text);
  const found = [...listMarkdown(prose), ...listTags(prose), ...(prose.match(attachment) ?? [])];
  // GitHub signs the addresses of private images.
  return [...new Set(found.map((address) => address.split('?', 1)[0] ?? address))];
}

/** For people; undefined: the model saw all. `reasons`: none without images. */
export function describeUnseen(count: number, reasons: readonly string[] = []): string | undefined {
  if (count === 0) return undefined;
  const why = reasons.length === 0 ? 'Pagewright reads only text' : [...new Set(reasons)].join('; ');
  return `${count === 1 ? '1 image was' : `${count} images were`} not seen: ${why}.`;
}

function readProse(text: string): string {
  let fence: OpeningFence | undefined;
  return text
    .split(/\r?\n/)
    .map((line) => {
      const open = fence;
      if (open !== undefined) {
        if (closesFence(line, open)) fence = undefined;
        return '';
      }
      fence = findOpeningFence(line);
      const parts = splitCodeSpans(line).filter((_part, index) => index % 2 === 0);
      return fence === undefined ? parts.join(' ') : '';
    })
    .join('\n');
}

function listMarkdown(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('!['); at >= 0; at = text.indexOf('![', at + 2)) {
    const alt = text.slice(at + 2, at + 2 + maxAltLength);
    const end = alt.indexOf(']');
    const behind = at + 3 + end;
    if (end < 0 || (text[behind] !== '(' && text[behind] !== '[')) continue;
    const rest = text.slice(behind + 1, behind + maxAltLength);
    const written =
      text[behind] === '(' ? image.exec(rest.trimStart().replace(/^</, ''))?.[0] : `[${rest.split(']', 1)[0]}]`;
    if (written !== undefined) found.push(written);
  }
  return found;
}

const listTags = (text: string): string[] =>
  Array.from(text.matchAll(/<img\b/gi), ({ index }) => {
    const tag = text.slice(index, index + maxTagLength).split('>', 1)[0] ?? '';
    return source.exec(tag)?.[1] ?? [];
  }).flat();

/** Counts the images of a message that the model sees, and those that it does not. `stored` is empty without OPENAI_IMAGES. */
export function countImages(
  prompt: string,
  stored: readonly { address: string | null; problem: string | null }[],
): { seen: number; unseen: number; reasons: string[] } {
  const known = new Set(stored.map(({ address }) => address));
  const problems = stored.flatMap(({ problem }) => problem ?? []);
  const others = listImages(prompt).filter((address) => !known.has(address));
  return { seen: stored.length - problems.length, unseen: problems.length + others.length, reasons: problems };
}
