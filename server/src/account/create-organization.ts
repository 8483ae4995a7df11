import { randomBytes, randomUUIDv7 } from "node:crypto";
import type { Context } from "../context.ts";
import type { Db } from "../store/db.ts";
import { insertMember } from "../store/queries/members.ts";
import { insertOrganization, type OwnOrganization } from "../store/queries/organizations.ts";

/** Adds an organization on the installation's default plan, owned by the person; in a transaction. */
export async function createOrganization(
  { db, clock, config }: { db: Db } & Pick<Context, "clock" | "config">,
  input: { name: string; ownerId: number },
): Promise<OwnOrganization> {
  const now = clock.now();
  const organization = {
    uuid: randomUUIDv7(),
    name: input.name,
    plan: config.defaultPlan,
    // A self-hosted installation has everything; whoever sells the service sells reports apart.
    reports: config.defaultPlan === "expert",
  };
  const plain = slugOf(input.name);
  for (let slug = plain; ; slug = `${plain}-${randomBytes(3).toString("hex")}`) {
    const id = await insertOrganization(db, { ...organization, slug }, now);
    if (id === undefined) continue;
    await insertMember(db, { userId: input.ownerId, organizationId: id, role: "owner" }, now);
    return { id, slug, createdAt: now, deletesAt: null, role: "owner", ...organization };
  }
}

const MAX_LENGTH = 48;

/** `Größe & Co.` becomes `grosse-co`: what stands in addresses and filters for an organization. Never only digits, which would read as an id. */
export function slugOf(name: string): string {
  const slug = name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, "");
  if (slug === "") return "organization";
  return /^\d+$/.test(slug) ? `organization-${slug}` : slug;
}
