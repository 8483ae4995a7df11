import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { readIconByUuid } from "../store/queries/icons.ts";
import { placeholderIcon } from "./icon-image.ts";

/** The picture behind an icon address: what was found, or a letter. Throws 404 for an unknown monitor. */
export async function getIconImage(
  ctx: Context,
  uuid: string,
): Promise<{ contentType: string; data: Buffer }> {
  const icon = await readIconByUuid(ctx.store.db, uuid.toLowerCase());
  if (!icon) throw notFound();
  if (icon.contentType) return { contentType: icon.contentType, data: Buffer.from(icon.data) };
  return { contentType: "image/svg+xml", data: Buffer.from(placeholderIcon(icon.monitorName)) };
}
