import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { getIconImage } from "../../monitor/get-icon-image.ts";
import { defineRawRoute } from "../define-route.ts";

const IconParams = Type.Object({
  token: Type.String({ maxLength: 64, description: "From `iconUrl`; whoever has it can see the picture." }),
});

/** A picture that was found stays the same at its address; a letter goes by the monitor's name. */
const CACHING = { found: "private, max-age=31536000, immutable", letter: "private, max-age=86400" };

/** Pictures of monitored sites from our own origin; an SVG from outside must stay a picture, hence the policy. */
export function registerIcons(app: FastifyInstance, ctx: Context): void {
  defineRawRoute(app, ctx, {
    method: "GET",
    url: "/icons/:token",
    family: "public",
    resource: null,
    limit: null,
    summary: "The icon of a monitored site",
    description: "As found on the site, or a picture of the first letter of its name.",
    params: IconParams,
    content: { "image/*": Type.String({ contentEncoding: "binary" }) },
    async handler(own, { params }, reply) {
      const icon = await getIconImage(own, params.token);
      reply
        .type(icon.contentType)
        .header("Cache-Control", CACHING[icon.found ? "found" : "letter"])
        .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header("X-Content-Type-Options", "nosniff");
      return icon.data;
    },
  });
}
