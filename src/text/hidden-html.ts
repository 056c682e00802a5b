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
  const replace = ({ location }: Token.TagToken, tag: string) => {
    if (!location) return;
    parts.push(seen.slice(end, location.startOffset), tag);
    end = location.endOffset;
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (token) => {
        if (token.attrs.length > 0) replace(token, writeTag(token));
      },
      onEndTag: (token) => {
        if (token.attrs.length > 0) replace(token, `</${token.tagName}>`);
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

function writeTag({ tagName, attrs, selfClosing }: Token.TagToken): string {
  const shown = attrs.filter(
    ({ name, value }) => shownAttributes.has(name) && value.length <= maxValueLength && /^[^\s"<>`]*$/.test(value),
  );
  return `<${[tagName, ...shown.map(({ name, value }) => `${name}="${value}"`)].join(' ')}${selfClosing ? ' /' : ''}>`;
}
