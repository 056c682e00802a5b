/** Whether a text has line breaks and all of them are CRLF. */
export const isAllCrlf = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text);

export const toCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
