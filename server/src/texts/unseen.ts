/**
 * What others wrote without the characters that nobody sees and that turn the text around them, such as U+202E. The joiners of
 * emoji and of Persian and Indic scripts stay.
 */
export const withoutUnseen = (text: string): string => text.replace(/(?![\u200c\u200d])\p{Cf}/gu, "");
