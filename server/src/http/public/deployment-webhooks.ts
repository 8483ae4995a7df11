import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { receiveDeploymentWebhook } from "../../integration/deployment/receive-webhook.ts";
import { readBody } from "../body/read-body.ts";
import { defineRoute } from "../define-route.ts";
import { routeOf } from "../listing.ts";

/** Forges send from a few addresses, for many organizations. */
const LIMIT = { group: "deployment-webhooks", perMinute: 600 };
const MAX_BODY_BYTES = 1 << 20;

/** Where forges tell of deployments. The signature is over the very bytes that come, so nothing parses them before. */
export async function registerDeploymentWebhooks(app: FastifyInstance, ctx: Context): Promise<void> {
  const route = routeOf({
    verb: receiveDeploymentWebhook,
    method: "POST",
    url: "/api/webhooks/deployments/:id",
    tag: "public",
    limit: LIMIT,
    failures: [400, 401, 404, 422],
    bodyLimitBytes: MAX_BODY_BYTES,
    summary: "Tell of a deployment by webhook",
    description:
      "For GitHub (events `deployment` and `deployment_status`, signed by `X-Hub-Signature-256`) and GitLab (deployment events, with `X-Gitlab-Token` or a signature by Standard Webhooks). What comes twice changes nothing.",
    message: "Received.",
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request: FastifyRequest) => readBody(request));
    const { body: _, handler, ...rest } = route;
    defineRoute(scope, ctx, {
      ...rest,
      family: "public",
      params: Type.Object({ id: Type.String({ format: "uuid", description: "The webhook: its uuid." }) }),
      handler(own, request, reply) {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const body = bytes.toString("latin1");
        const headers = Object.fromEntries(
          Object.entries(request.raw.headers).map(([name, value]) => [name, String(value)]),
        );
        return handler(own, { ...request, query: { body, headers }, body: { body, headers } }, reply);
      },
    });
  });
}
