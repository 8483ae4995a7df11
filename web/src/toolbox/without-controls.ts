/** Characters that nobody sees, which turn the text around them or hide a part of it; joiners of emoji and scripts stay. */
const controls = /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;

/** What others wrote, as it may stand on a page: every text in it without control characters, at any depth. */
export function withoutControls(value: unknown): unknown {
  if (typeof value === "string") return value.replace(controls, "\ufffd");
  if (Array.isArray(value)) return value.map(withoutControls);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, withoutControls(own)]));
}
