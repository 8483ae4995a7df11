import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { getIconImage } from "../../monitor/get-icon-image.ts";
import { UuidParams } from "../../wire/id.ts";
import { defineRawRoute } from "../route.ts";

const KEEP_SECONDS = 86_400;

/** Pictures of monitored sites from our own origin; an SVG from outside must stay a picture, hence the policy. */
export function registerIcons(app: FastifyInstance, ctx: Context): void {
  defineRawRoute(app, ctx, {
    method: "GET",
    url: "/icons/:uuid",
    family: "public",
    limit: null,
    summary: "The icon of a monitored site.",
    params: UuidParams,
    content: { "image/*": Type.String({ contentEncoding: "binary" }) },
    async handler(own, { params }, reply) {
      const icon = await getIconImage(own, params.uuid);
      reply
        .type(icon.contentType)
        .header("Cache-Control", `public, max-age=${KEEP_SECONDS}`)
        .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header("X-Content-Type-Options", "nosniff");
      return icon.data;
    },
  });
}
