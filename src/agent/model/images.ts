import { APIError } from 'openai';
import { classifyFault } from './classify-fault.ts';
import type { Turn, TurnImage } from './model.ts';

/** Stands among the refused fields of a dialect. */
export const imagesField = 'images';

/** What an image may count, about. */
const tokensOfImage = 1_500;

export const toDataUrl = ({ mediaType, data }: TurnImage): string => `data:${mediaType};base64,${data}`;

export const hasImages = (turns: readonly Turn[]): boolean => turns.some(({ images = [] }) => images.length > 0);

export const countImageBytes = (turns: readonly Turn[]): number =>
  turns.flatMap(({ images = [] }) => images).reduce((sum, { data }) => sum + data.length, 0);

export const estimateImageTokens = (turns: readonly Turn[]): number =>
  tokensOfImage * turns.reduce((sum, { images = [] }) => sum + images.length, 0);

const notShown =
  'You do not see the images of this turn, because the model server does not accept them. Do not guess what they show: do what the text says, and name in your summary what it leaves open.';

export function withoutImages(turn: Turn): Turn {
  if (!hasImages([turn])) return turn;
  const { images: _, ...rest } = turn;
  return { ...rest, inputs: [...turn.inputs, notShown] };
}

const aboutImages = /image|vision|multi-?modal|modalit|mmproj/i;

/**
 * Whether a request with images may work without them. Servers have no common words for it: vLLM, llama.cpp (500), Ollama (500), OpenRouter
 * (404), and those that only say that a text is expected. If it fails again, its images are not the reason.
 */
export function mayRefuseImages(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  const { status = 0, message } = error;
  if (status === 413) return true;
  const fault = classifyFault({ error, now: 0 });
  if (fault?.kind === 'final') return fault.reason === 'model_invalid' || aboutImages.test(message);
  return status >= 500 && aboutImages.test(message);
}

/** Whether the server refuses all images, and not only one that it cannot read. */
export const refusesEveryImage = (error: unknown): boolean =>
  error instanceof APIError &&
  !/(?:too (?:large|big)|size|corrupt|decode|parse|download|format|dimension)/i.test(error.message);
