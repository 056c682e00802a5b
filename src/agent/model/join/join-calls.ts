import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { storableText } from '../../journal.ts';
import { type Fields, isFields } from '../../json.ts';
import type { ToolCall } from '../model.ts';
import { createArguments } from './join-arguments.ts';

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);
export const callDelta = z.looseObject({
  index: z.coerce.number().int().nullish().catch(null),
  id: text,
  type: z.unknown().optional(),
  function: z.object({ name: text, arguments: z.unknown().optional() }).nullish().catch(null),
});
type CallDelta = z.infer<typeof callDelta>;

/** `extra` are provider-specific fields, such as Gemini's thought signature. */
export type ChatCall = ToolCall & { extra: Fields };

interface OpenCall {
  id: string;
  name: string;
  arguments: ReturnType<typeof createArguments>;
  extra: Fields;
  /** The call before it with the same index. */
  previous: OpenCall | undefined;
}

/** Joins the deltas of tool calls by their index. Name and id of a call are set once, wherever they arrive, and only arguments are appended. */
export function createCalls() {
  const calls: OpenCall[] = [];
  // A map: with very many calls, a search for each chunk would block the event loop.
  const latest = new Map<number, OpenCall>();

  return {
    add(delta: CallDelta): void {
      const { index, id, type: _, function: called, ...extra } = delta;
      const name = called?.name ?? '';
      const known = index == null ? calls.at(-1) : latest.get(index);
      const isSame = known?.name === name && known.arguments.isRepeatedBy(called?.arguments);
      if (isSame && (index != null || !hasOtherId(known, id))) return;
      const call = known && !startsCall(known, delta) ? known : open(known);
      if (call !== known && index != null) latest.set(index, call);
      call.id ||= id ?? '';
      call.name = joinName(call, name);
      call.arguments.add(called?.arguments);
      joinFields(call.extra, extra);
    },
    /** Gives each call a unique and storable id: results are matched by it. */
    finish(): { calls: ChatCall[]; areWhole: boolean } {
      const real = calls.filter((call) => !isEcho(call));
      const ids = new Set<string>();
      return {
        areWhole: real.length > 0 && real.every((call) => call.name !== '' && call.arguments.isWhole()),
        calls: real.map((call) => {
          const id = storableText(call.id);
          const callId = id === '' || ids.has(id) ? `call_${randomUUID()}` : id;
          ids.add(callId);
          const { name, extra } = call;
          return { callId, name: storableText(name), arguments: storableText(call.arguments.settle()), extra };
        }),
      };
    },
  };

  function open(previous: OpenCall | undefined): OpenCall {
    const call = { id: '', name: '', arguments: createArguments(), extra: {}, previous };
    calls.push(call);
    return call;
  }
}

/** Some servers give each call index 0, some each delta an id of its own: only a name after a complete call tells them apart. */
function startsCall(known: OpenCall, { index, id, function: called }: CallDelta): boolean {
  const name = called?.name ?? '';
  if (name === '' || known.name === '') return false;
  const isOtherId = hasOtherId(known, id);
  if (isOtherId && index == null) return true;
  if (name !== known.name) return isOtherId || !known.arguments.isEmpty();
  const isOther = isOtherId || index == null;
  return isOther && known.arguments.isWhole() && !known.arguments.isExtendedBy(called?.arguments);
}

const hasOtherId = (known: OpenCall, id: string | null | undefined) => known.id !== '' && !!id && id !== known.id;

/** A name may also arrive in pieces, as long as there are no arguments. */
function joinName({ name: known, arguments: given }: OpenCall, name: string): string {
  if (known === '' || name.startsWith(known)) return name || known;
  return known === name || !given.isEmpty() ? known : known + name;
}

/** The name of a complete call once more, with a new id and nothing else. */
const isEcho = ({ name, arguments: given, previous }: OpenCall) => given.isEmpty() && previous?.name === name;

/** The same in each delta. */
const setOnce = new Set(['type', 'id', 'index', 'format', 'role', 'name']);
/** Sealed texts, which some servers repeat in each delta. */
const sealed = new Set(['data', 'signature', 'thought_signature', 'encrypted_content']);
/** Parts that are one text when they follow each other. */
const textTypes = new Set(['text', 'thinking']);

/**
 * Adds a delta of any object to `whole`: texts are appended, elements of lists are joined by their `index`, or with their predecessor if both
 * are parts of one text. `null` changes nothing. The result can be sent back to the server that it came from.
 */
export function joinFields(whole: Fields, delta: Fields): void {
  for (const [key, piece] of Object.entries(delta)) {
    if (piece === null || piece === undefined) continue;
    whole[key] = joinValue(key, whole[key], piece);
  }
}

function joinValue(key: string, whole: unknown, piece: unknown): unknown {
  if (typeof whole === 'string' && typeof piece === 'string') {
    if (setOnce.has(key)) return whole === '' ? piece : whole;
    return sealed.has(key) && whole === piece ? whole : whole + piece;
  }
  if (Array.isArray(piece)) {
    const elements: unknown[] = Array.isArray(whole) ? whole : [];
    for (const element of piece) joinElement(elements, element);
    return elements;
  }
  if (!isFields(piece)) return piece;
  const fields = isFields(whole) ? whole : {};
  joinFields(fields, piece);
  return fields;
}

function joinElement(elements: unknown[], piece: unknown): void {
  if (!isFields(piece)) {
    elements.push(piece);
    return;
  }
  const { index, type } = piece;
  const last = elements.at(-1);
  const candidates = typeof index === 'number' ? [last, elements[index]] : [last];
  const known = candidates.find(
    (candidate): candidate is Fields =>
      isFields(candidate) &&
      (typeof index === 'number'
        ? candidate.index === index && (type === undefined || candidate.type === type)
        : candidate.type === type && typeof type === 'string' && textTypes.has(type)),
  );
  if (known) {
    joinFields(known, piece);
    return;
  }
  const copy = {};
  joinFields(copy, piece);
  elements.push(copy);
}
