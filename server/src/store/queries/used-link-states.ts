import type { Db } from "../db.ts";

/** Uses a state up, by its hash; false when somebody has used it before. */
export async function claimLinkState(
  db: Db,
  { organizationId, stateHash }: { organizationId: number; stateHash: string },
  at: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("used_link_states")
    .values({ organization_id: organizationId, state_hash: stateHash, at })
    .onConflict((conflict) => conflict.column("state_hash").doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
