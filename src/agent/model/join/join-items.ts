import { randomUUID } from 'node:crypto';
import { type Fields, isFields } from '../../json.ts';
import { createArguments, toPiece } from './join-arguments.ts';

interface OpenItem {
  item: Fields;
  isDone: boolean;
  text: string;
  arguments: ReturnType<typeof createArguments>;
}

/** Joins the events about the items of a response by `output_index`, or by the id of the item where there is none. */
export function createItems() {
  const items: OpenItem[] = [];
  const latest = new Map<string, OpenItem>();

  return {
    /** Ignores events of other kinds. */
    add({ type, item, delta, text, arguments: whole, ...position }: Fields): void {
      const key = readKey(position, item);
      switch (type) {
        case 'response.output_item.added':
          if (isFields(item)) open(key, item, false);
          return;
        case 'response.output_item.done':
          if (isFields(item)) open(key, item, true);
          return;
        case 'response.output_text.delta':
          find(key).text += typeof delta === 'string' ? delta : '';
          return;
        case 'response.output_text.done':
          if (typeof text === 'string') find(key).text = text;
          return;
        case 'response.function_call_arguments.delta':
          find(key).arguments.add(delta);
          return;
        case 'response.function_call_arguments.done':
          restart(find(key), whole);
      }
    },
    list: (): Fields[] => items.map(complete),
    areDone: () => items.length > 0 && items.every(({ isDone }) => isDone),
    /** Fills an item of the final list from what was streamed of it. */
    fill: (item: unknown, index: number): unknown => {
      if (!isFields(item)) return item;
      const id = item.call_id ?? item.id;
      const streamed =
        items.find((other) => id !== undefined && id === (other.item.call_id ?? other.item.id)) ?? items[index];
      return complete({ ...(streamed && streamed.item.type === item.type ? streamed : createItem()), item });
    },
  };

  function find(key: string | undefined): OpenItem {
    const known = key === undefined ? items.at(-1) : latest.get(key);
    return known ?? open(key, {}, false);
  }

  /** A finished item that begins again with the same index is another item. */
  function open(key: string | undefined, item: Fields, isDone: boolean): OpenItem {
    const known = key === undefined ? items.at(-1) : latest.get(key);
    const isOther = known?.isDone && (!isDone || known.item.call_id !== item.call_id || known.item.type !== item.type);
    if (known === undefined || isOther || (key === undefined && !isDone)) {
      const opened = { ...createItem(), item, isDone };
      items.push(opened);
      if (key !== undefined) latest.set(key, opened);
      return opened;
    }
    known.item = isDone ? { ...known.item, ...item } : item;
    known.isDone ||= isDone;
    return known;
  }
}

const createItem = (): OpenItem => ({ item: {}, isDone: false, text: '', arguments: createArguments() });

function readKey({ output_index: index, item_id: itemId }: Fields, item: unknown): string | undefined {
  if (typeof index === 'number') return `${index}`;
  const id = itemId ?? (isFields(item) ? item.id : undefined);
  return typeof id === 'string' ? id : undefined;
}

function restart(open: OpenItem, whole: unknown): void {
  if (toPiece(whole) === '') return;
  open.arguments = createArguments();
  open.arguments.add(whole);
}

/** An item as the server should have sent it; one that is complete stays as it is. */
function complete({ item, text, arguments: pieces }: OpenItem): Fields {
  if (item.type === 'function_call' || (item.type === undefined && !pieces.isEmpty())) {
    const given = createArguments();
    given.add(item.arguments);
    const whole = given.isEmpty() ? pieces.settle() : given.settle();
    const callId = item.call_id ?? item.id ?? `call_${randomUUID()}`;
    return { ...item, type: 'function_call', call_id: callId, arguments: whole };
  }
  const isMessage = item.type === 'message' || item.role === 'assistant' || (item.type === undefined && text !== '');
  if (!isMessage) return item;
  const isEmpty =
    item.content === undefined || item.content === null || (Array.isArray(item.content) && item.content.length === 0);
  const content = isEmpty ? [{ type: 'output_text', text, annotations: [] }] : item.content;
  return { role: 'assistant', ...item, type: 'message', content };
}
