import { Type } from "typebox";
import { isSameSecret } from "../account/token.ts";
import { NOTHING_SEEN } from "../check/check.ts";
import { checkKind } from "../check/registry.ts";
import { notFound } from "../errors.ts";
import { LOCAL } from "../probe/location-probe.ts";
import { openConfig } from "../secret/sealed-config.ts";
import { findAssignment } from "../store/queries/assignments.ts";
import { verb } from "../verb/verb.ts";
import { Timestamp, timestamp } from "../wire/field.ts";
import { IdText, parseId } from "../wire/id.ts";

/**
 * Whoever knows the token says that all is well; the engine has stored it, in a transaction of its own, when this
 * resolves. Throws 404 for any other.
 */
export const tellHeartbeat = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: Type.Object({
    id: IdText,
    token: Type.String({
      description: "The service's `protocolConfig.token`; whoever has it can send heartbeats.",
    }),
  }),
  output: Type.Object(
    {
      receivedAt: Timestamp,
      counted: Type.Boolean({ description: "False while the service is paused." }),
    },
    { title: "Heartbeat" },
  ),
  async run(ctx, { id, token }) {
    const monitor = await findAssignment(ctx.db, parseId(id));
    const kind = monitor && checkKind(monitor.type);
    if (!kind || !("passive" in kind)) throw notFound();
    if (!isSameSecret(token, kind.passive.token(openConfig(ctx.secrets, monitor) as never))) throw notFound();
    const now = ctx.clock.now();
    const receivedAt = timestamp(now);
    if (!monitor.enabled) return { receivedAt, counted: false };
    await ctx.engine.accept({
      monitorId: monitor.monitorId,
      revision: monitor.revision,
      location: LOCAL.code,
      scheduledAt: now,
      verdict: "ok",
      reason: null,
      ...NOTHING_SEEN,
      address: ctx.visitor.address,
    });
    return { receivedAt, counted: true };
  },
});
