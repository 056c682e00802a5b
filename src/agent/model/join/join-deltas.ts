type Fields = Record<string, unknown>;

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

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
