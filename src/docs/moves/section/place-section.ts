import { type CutSection, cutSection, type SourcePage, type TargetPage } from './cut-section.ts';

/** Where a section goes. */
export interface SectionPlace {
  /** A position in the target, or at the end of `header`. */
  at: number;
  /** The level of its heading. */
  depth: number;
  /** What a new page begins with. */
  header: string;
  /** Its heading is the title in `header`. */
  isTitle: boolean;
}

/** `after`: a heading that it follows, at its level. After the title of a page, it is the first section; by default, the last one. */
export function placeSection(options: {
  source: SourcePage;
  section: CutSection;
  target: TargetPage;
  after: string | undefined;
}): ({ kind: 'place' } & SectionPlace) | { kind: 'refused'; reason: string } {
  const { source, section, target, after } = options;
  const place = { kind: 'place' as const, header: '', isTitle: false };
  if (target.isNew) {
    const isTitle =
      typeof source.page.frontMatter.data.title === 'string' && /^(?:markdown|mdx|quarto)$/.test(target.format);
    const header = isTitle ? `---\ntitle: ${quote(section.heading)}\n---\n` : '';
    return { ...place, at: header.length, depth: 1, header, isTitle };
  }
  const { headings } = target.page;
  const [first, ...others] = headings;
  const title = first?.depth === 1 && others.every(({ depth }) => depth > 1) ? first : undefined;
  const isOwn = source.path === target.path;
  const rest = headings.filter(
    (each) => each !== title && !(isOwn && section.start <= each.start && each.start < section.end),
  );
  const top = rest.length === 0 ? 2 : Math.min(...rest.map(({ depth }) => depth));
  if (after === undefined) return { ...place, at: target.text.length, depth: top };
  const found = cutSection(target, after);
  if (found.kind === 'refused') return found;
  const { section: before } = found;
  if (isOwn && section.start <= before.start && before.start < section.end)
    return { kind: 'refused', reason: 'a section cannot follow itself or a part of it' };
  if (title !== undefined && before.line === target.page.lineOf(title.start)) {
    const [next] = others;
    const at = next === undefined ? undefined : cutSection(target, String(target.page.lineOf(next.start)));
    return { ...place, at: at?.kind === 'section' ? at.section.start : target.text.length, depth: top };
  }
  return { ...place, at: before.end, depth: before.depth };
}

const quote = (title: string) =>
  /^[\p{L}\p{N}][^:#"'\\]*$/u.test(title) && !/^[\d.]+$|^(?:true|false|yes|no|null)$/i.test(title)
    ? title
    : JSON.stringify(title);
