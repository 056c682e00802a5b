import { type Token, Tokenizer } from 'parse5';
import { withoutUnseenHtml } from './html-comments.ts';

/** Attributes that readers can follow: the target of a link or an image. */
const shownAttributes = new Set(['href', 'src']);
const maxValueLength = 500;

/** A piece of HTML without comments and hidden attributes. `isOpen`: it ends inside a tag. Linear time. */
export function withoutHiddenHtml(source: string): { html: string; isOpen: boolean } {
  const seen = withoutUnseenHtml(source);
  const parts: string[] = [];
  let end = 0;
  let isOpen = false;
  const replace = ({ location, tagName }: Token.TagToken, toTag: (name: string) => string) => {
    if (!location) return;
    const tag = seen.slice(location.startOffset, location.endOffset);
    // As it is written: `<Step>` is a component, and the tokenizer calls it `step`.
    const nameAt = tag.startsWith('</') ? 2 : 1;
    parts.push(seen.slice(end, location.startOffset), toTag(tag.slice(nameAt, nameAt + tagName.length)));
    end = location.endOffset;
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (token) => {
        if (token.attrs.length > 0) replace(token, (name) => writeTag(name, token));
      },
      onEndTag: (token) => {
        if (token.attrs.length > 0) replace(token, (name) => `</${name}>`);
      },
      onParseError: ({ code }) => {
        if (code === 'eof-in-tag') isOpen = true;
      },
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
      onCharacter: () => {},
      onNullCharacter: () => {},
      onWhitespaceCharacter: () => {},
    },
  );
  tokenizer.write(seen, true);
  const rest = seen.slice(end);
  parts.push(isOpen ? rest.slice(0, rest.lastIndexOf('<')) : rest);
  return { html: parts.join(''), isOpen };
}

function writeTag(name: string, { attrs, selfClosing }: Token.TagToken): string {
  const shown = attrs.filter(
    ({ name, value }) => shownAttributes.has(name) && value.length <= maxValueLength && /^[^\s"<>`]*$/.test(value),
  );
  const written = shown.map((attribute) => `${attribute.name}="${attribute.value}"`);
  return `<${[name, ...written].join(' ')}${selfClosing ? ' /' : ''}>`;
}
