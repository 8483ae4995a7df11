import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { readIconByToken } from "../store/queries/icons.ts";

/** The picture behind an icon address: what was found, or a letter. Throws 404 for an unknown token. */
export async function getIconImage(
  ctx: Context,
  token: string,
): Promise<{ contentType: string; data: Buffer; found: boolean }> {
  const icon = await readIconByToken(ctx.store.db, token);
  if (!icon) throw notFound();
  const { contentType, data, monitorName } = icon;
  if (contentType) return { contentType, data: Buffer.from(data), found: true };
  return { contentType: "image/svg+xml", data: Buffer.from(placeholderIcon(monitorName)), found: false };
}

/** An SVG with the name's first letter, for sites without an icon; its colour is fixed by the name. */
function placeholderIcon(name: string): string {
  const letter = [...name.trim()].find((character) => /[\p{L}\p{N}]/u.test(character))?.toUpperCase() ?? "•";
  let hue = 0;
  for (const character of name) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="hsl(${hue} 45% 42%)"/>` +
    `<text x="16" y="22" text-anchor="middle" font-family="system-ui,sans-serif" font-size="17" font-weight="600" fill="#fff">${letter}</text></svg>`
  );
}
