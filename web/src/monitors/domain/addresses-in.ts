/** One a line, each once, without the space around it. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];
