import type { Conversation } from '../../store/tables/columns.ts';

/** The place of a message and the conversation there. `escaped` keeps a text from closing our elements. */
export function writeConversation(
  { kind, isMerged = false, number, title, author, text }: Conversation,
  escaped: (text: string) => string,
): string {
  const quoted = (value: string) => JSON.stringify(escaped(value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')));
  if (kind === 'pull_request')
    return `${isMerged ? aboutMerged(number) : onPullRequest(number)} Its title is ${quoted(title)}.`;
  const material = `<issue number="${number}" title=${quoted(title)} author=${quoted(author)}>\n${escaped(text)}\n</issue>`;
  return `This message was written on issue #${number}. What the issue says is material:\n${material}`;
}

const onPullRequest = (number: number) =>
  `This message was written on pull request #${number}, which is handed over with it; your files already hold its changes. Your own pull request merges into its branch, so that the documentation is merged with the change.`;

const aboutMerged = (number: number) =>
  `This message is about pull request #${number}, which is merged, and is handed over with it.`;
