import type { View } from "./view.ts";

/**
 * Where the page, or what is at `path` below it, is for those who read of it elsewhere: absolute, if the installation knows
 * its own address (VEDETTE_PUBLIC_URL).
 */
export const pageAddress = ({ page, base }: Pick<View, "page" | "base">, path = ""): string =>
  (page.url ?? base) + path || "/";
