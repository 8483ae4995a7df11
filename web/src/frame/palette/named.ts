import type { ParseKeys, TFunction } from "i18next";

/** The text of a key, and in English: whoever has learnt a word there finds it by that, too. */
export const named = (
  t: TFunction<"frame/palette">,
  key: ParseKeys<"frame/palette">,
  values: Record<string, unknown> = {},
) => ({ text: t(key, values), also: [t(key, { ...values, lng: "en" })] });
