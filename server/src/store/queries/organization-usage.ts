import type { Db } from "../db.ts";

/** How much of everything an organization has; invitations and keys that have expired do not count. */
export interface OrganizationUsage {
  domains: number;
  services: number;
  devices: number;
  members: number;
  invitations: number;
  apiKeys: number;
}

export async function countOwned(db: Db, organizationId: number, now: number): Promise<OrganizationUsage> {
  const count = (table: "memberships" | "invitations" | "api_keys") =>
    db
      .selectFrom(table)
      .select((select) => select.fn.countAll().as("count"))
      .where("organization_id", "=", organizationId);
  const monitors = await db
    .selectFrom("monitor_counts")
    .select(["kind", "count"])
    .where("organization_id", "=", organizationId)
    .execute();
  const ofKind = (wanted: string) => Number(monitors.find(({ kind }) => kind === wanted)?.count ?? 0);
  const members = await count("memberships").executeTakeFirstOrThrow();
  const invitations = await count("invitations").where("expires_at", ">", now).executeTakeFirstOrThrow();
  const apiKeys = await count("api_keys")
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return {
    domains: ofKind("domain"),
    services: ofKind("service"),
    devices: ofKind("device"),
    members: Number(members.count),
    invitations: Number(invitations.count),
    apiKeys: Number(apiKeys.count),
  };
}
