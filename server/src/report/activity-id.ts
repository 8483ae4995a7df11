import { createHmac } from "node:crypto";
import type { Caller } from "../account/caller.ts";
import type { SecretBox } from "../context.ts";
import type { Activity } from "../store/queries/activity.ts";

/** 96 bits: of a thousand in a list no two are alike. */
const LENGTH = 16;

/**
 * The ids by which clients know things that happened: `status-` and an opaque part. The tables are numbered across
 * all organizations, so their numbers would tell each of them how much happens at the others. Stable.
 */
export function createActivityIds({
  secrets,
  caller,
}: {
  secrets: Pick<SecretBox, "derive">;
  caller: Pick<Caller, "organizationId">;
}): (activity: Pick<Activity, "kind" | "id">) => string {
  const key = secrets.derive("activity ids");
  return ({ kind, id }) => {
    const sealed = createHmac("sha256", key).update(`${caller.organizationId} ${kind} ${id}`);
    return `${kind}-${sealed.digest("base64url").slice(0, LENGTH)}`;
  };
}
