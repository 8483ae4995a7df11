import { describe, expect, inject, test } from "vitest";
import { deleteMember, insertMember } from "../../../src/accounts/queries/members.ts";
import { eventually } from "../../harness/eventually.ts";
import { countWaiting } from "../../harness/waiting.ts";
import { startTelling } from "../channel-setup.ts";

const SETTINGS = "/api/notifications/settings";

/** A person of two organizations, who changes their settings while a transaction changes where they belong. */
async function start() {
  const { server, now } = await startTelling("postgres");
  const { db } = server.ctx.store;
  const { userId } = server.person;
  const { organization } = await server.createOrganization();
  const member = { userId, organizationId: organization.id, role: "member" as const };
  const setDuring = async (change: object, work: (trx: typeof db) => Promise<unknown>) => {
    const set = server.ctx.store.transaction(async (trx) => {
      await work(trx);
      const put = server.api("PUT", SETTINGS, change, {
        key: await server.createKey({ allOrganizations: true }),
      });
      await Promise.race([
        put,
        eventually(
          () => countWaiting(db),
          (waiting) => waiting > 0,
        ),
      ]);
      return { put };
    });
    const { put } = await set;
    expect((await put).status).toBe(200);
  };
  const mailing = () =>
    db
      .selectFrom("channels")
      .select(["organization_id as organizationId", "enabled"])
      .where("user_id", "=", userId)
      .where("type", "=", "email")
      .orderBy("organization_id")
      .execute();
  return { server, db, now, member, setDuring, mailing };
}

// SQLite has one writer.
describe.skipIf("missing" in inject("postgres"))("a person's channels", () => {
  test("are off in an organization that they join while they turn them off", async () => {
    const { server, now, member, setDuring, mailing } = await start();
    await server.api("PUT", SETTINGS, { emailNotifications: true });
    await setDuring({ emailNotifications: false }, (trx) => insertMember(trx, member, now()));
    expect((await mailing()).map(({ enabled }) => enabled)).toEqual([0, 0]);
  });

  test("are gone from an organization that they leave while they turn them on", async () => {
    const { server, db, now, member, setDuring, mailing } = await start();
    await insertMember(db, member, now());
    await setDuring({ emailNotifications: true }, (trx) =>
      deleteMember(trx, member.organizationId, member.userId),
    );
    const { id: organizationId } = server.person.organization;
    expect(await mailing()).toEqual([{ organizationId, enabled: 1 }]);
  });
});
