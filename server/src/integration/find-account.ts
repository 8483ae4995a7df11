import { findAnywhere } from "../account/resolve-organization.ts";
import { notFound } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { countResources } from "../store/queries/integration-resources.ts";
import { findIntegration, type Integration } from "../store/queries/integrations.ts";
import { findOwner } from "../store/queries/ref.ts";
import type { Before, Running } from "../verb/verb.ts";
import { parseId } from "../wire/field.ts";
import type { ShownIntegration } from "../wire/integrations.ts";
import { integrationKind } from "./registry.ts";

/** For a verb's `find`: the account of a provider that an id means, wherever the caller may act. Throws 404. */
export const findAccountOf =
  (provider: string) =>
  (ctx: Before, { id }: { id: string }) => {
    const { db } = ctx.store;
    const ref = parseId(id);
    const find = (organizationId: number) => findIntegration(db, { organizationId, provider, ref });
    return findAnywhere(ctx, find, () => findOwner(db, "integrations", ref));
  };

/** It as it is now, locked until the transaction ends. Throws 404. */
export async function lockAccount({ db }: Pick<Running, "db">, found: Integration): Promise<Integration> {
  const { organizationId, provider, id } = found;
  const now = await findIntegration(db, { organizationId, provider, ref: { id }, lock: true });
  if (!now) throw notFound();
  return now;
}

/** Accounts with what is counted of them. */
export async function withCounts(
  { db }: { db: Db },
  accounts: readonly Integration[],
): Promise<ShownIntegration[]> {
  const counts = await countResources(
    db,
    accounts.map(({ id }) => id),
  );
  return accounts.map((one) => ({
    ...one,
    target: integrationKind(one.provider)?.target(one.config as never) ?? "",
    ...(counts.get(one.id) ?? { resources: 0, monitored: 0 }),
  }));
}
