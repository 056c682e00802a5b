import { type Html, html } from '../../../pages/html.ts';

/** What stands beside the conversation. On a narrow screen, the conversation is one of them. */
export const views = ['conversation', 'preview', 'changes', 'checks', 'activity'] as const;
export type View = (typeof views)[number];

export const viewNames: Record<View, string> = {
  conversation: 'Conversation',
  preview: 'Preview',
  changes: 'Changes',
  checks: 'Checks',
  activity: 'Activity',
};

/** The view of an address. Undefined: none is asked for. An address that asks how changes look asks for them. */
export function readView({ tab, diff }: Record<string, unknown>): View | undefined {
  return views.find((view) => view === tab) ?? (diff === undefined ? undefined : 'changes');
}

/** Beside the conversation, if the address asks for none. */
export const besideOf = (view: View | undefined): Exclude<View, 'conversation'> =>
  view === undefined || view === 'conversation' ? 'changes' : view;

export function renderViews(options: {
  address: string;
  view: View | undefined;
  counts: Partial<Record<View, number>>;
}): Html {
  const { address, view, counts } = options;
  const isConversation = view === undefined || view === 'conversation';
  return html`<nav class="views${isConversation && ' at-conversation'}" id="views" data-live aria-label="Views"><ul>${views.map(
    (name) =>
      html`<li class="view-${name}"><a href="${address}?tab=${name}" data-view${name === besideOf(view) && html` aria-current="page"`}>${viewNames[name]}${(counts[name] ?? 0) > 0 && html` <span class="count">${counts[name]}</span>`}</a></li>`,
  )}</ul></nav>`;
}
