import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { readIconByToken } from "../store/queries/icons.ts";
import { placeholderIcon } from "./icon-image.ts";

/** The picture behind an icon address: what was found, or a letter. Throws 404 for an unknown token. */
export async function getIconImage(
  ctx: Context,
  token: string,
): Promise<{ contentType: string; data: Buffer }> {
  const icon = await readIconByToken(ctx.store.db, token);
  if (!icon) throw notFound();
  if (icon.contentType) return { contentType: icon.contentType, data: Buffer.from(icon.data) };
  return { contentType: "image/svg+xml", data: Buffer.from(placeholderIcon(icon.monitorName)) };
}
