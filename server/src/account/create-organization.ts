import { randomBytes, randomUUIDv7 } from "node:crypto";
import type { Context } from "../context.ts";
import type { Db } from "../store/db.ts";
import { insertMember } from "../store/queries/members.ts";
import { insertOrganization, type OwnOrganization } from "../store/queries/organizations.ts";
import { slugOf } from "./slug.ts";

/** Adds an organization on the installation's default plan, owned by the person; in the caller's transaction. */
export async function createOrganization(
  ctx: Pick<Context, "clock" | "config">,
  trx: Db,
  input: { name: string; ownerId: number },
): Promise<OwnOrganization> {
  const now = ctx.clock.now();
  const organization = {
    uuid: randomUUIDv7(),
    name: input.name,
    plan: ctx.config.defaultPlan,
    // A self-hosted installation has everything; whoever sells the service sells reports apart.
    reports: ctx.config.defaultPlan === "expert",
  };
  const plain = slugOf(input.name);
  for (let slug = plain; ; slug = `${plain}-${randomBytes(3).toString("hex")}`) {
    const id = await insertOrganization(trx, { ...organization, slug }, now);
    if (id === undefined) continue;
    await insertMember(trx, { userId: input.ownerId, organizationId: id, role: "owner" }, now);
    return { id, slug, createdAt: now, role: "owner", ...organization };
  }
}
