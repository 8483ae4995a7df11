import { expect, onTestFinished, test } from "vitest";
import { lockOwners, updateMemberRole } from "../../src/accounts/queries/members.ts";
import { eventually } from "../harness/eventually.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { countWaiting } from "../harness/waiting.ts";
import { type Browser, openBrowser, PASSWORD, signedIn } from "./browser.ts";

interface Ending {
  at: string;
  browser: Browser;
  heir: { id: number; browser: Browser };
}

eachEngine("an organization is handed over", (engine) => {
  async function start() {
    const server = await startTestServer({ engine, config: { signup: "open" } });
    onTestFinished(server.close);
    const { browser, email } = await signedIn(server);
    const { user, organization } = (await browser.send("GET", "/api/auth/me")).body.data;
    const at = `/api/organizations/${organization.id}`;
    const add = async (role: string) => {
      const body = { email: `${role}-${email}`, password: PASSWORD, role };
      const { data } = (await browser.send("POST", `${at}/members`, body)).body;
      const other = openBrowser(server);
      await other.send("POST", "/api/auth/sign-in", { email: body.email, password: PASSWORD });
      return { id: data.id as number, uuid: data.uuid as string, browser: other };
    };
    return { server, browser, at, user, organization, add };
  }

  test("to a member, who becomes an owner; the former owner becomes an admin", async () => {
    const { browser, at, user, organization, add } = await start();
    const heir = await add("member");
    const body = { member: heir.uuid, password: PASSWORD };
    const answer = await browser.send("POST", `/v2/organizations/${organization.uuid}/transfer`, body);
    expect([answer.status, answer.body.data]).toMatchObject([200, { id: heir.id, role: "owner" }]);
    const members = (await heir.browser.send("GET", `${at}/members`)).body.data;
    expect(members.map(({ id, role }: { id: number; role: string }) => [id, role])).toEqual([
      [user.id, "admin"],
      [heir.id, "owner"],
    ]);
    const back = await browser.send("POST", `${at}/transfer`, { member: user.id, password: PASSWORD });
    expect([back.status, back.body.message]).toEqual([
      403,
      "Your role in this organization (admin) does not permit this.",
    ]);
    const [entry] = (await heir.browser.send("GET", `${at}/audit-log?limit=1`)).body.data;
    expect(entry).toMatchObject({
      action: "transfer organization",
      userId: user.id,
      resourceId: `${heir.id}`,
    });
  });

  test("to no one without the password, to no one who is not a member, and to no owner", async () => {
    const { server, browser, at, user, add } = await start();
    const owner = await add("owner");
    const member = await add("member");
    const outsider = await server.createOrganization();
    const transfer = async (body: object, as = browser) => {
      const { status, body: answer } = await as.send("POST", `${at}/transfer`, body);
      return [status, answer.errors ?? answer.message];
    };
    const password = PASSWORD;
    expect(await transfer({ member: member.id, password: "wrong" })).toEqual([
      422,
      { password: ["The password is wrong."] },
    ]);
    for (const noMember of [outsider.userId, "unknown", 0]) {
      expect((await transfer({ member: noMember, password }))[0]).toBe(422);
    }
    expect(await transfer({ member: outsider.userId, password })).toEqual([
      422,
      { member: ["This person is not a member of the organization."] },
    ]);
    for (const already of [owner.id, user.id]) {
      expect(await transfer({ member: already, password })).toEqual([
        422,
        { member: ["This person is an owner already."] },
      ]);
    }
    expect((await transfer({ member: member.id, password }, member.browser))[0]).toBe(403);
    const roles = (await browser.send("GET", `${at}/members`)).body.data;
    expect(roles.map(({ role }: { role: string }) => role)).toEqual(["owner", "owner", "member"]);
  });

  test("to two members at once, only to one of them", async () => {
    const { browser, at, add } = await start();
    const heirs = [await add("member"), await add("viewer")];
    const answers = await Promise.all(
      heirs.map(({ id }) => browser.send("POST", `${at}/transfer`, { member: id, password: PASSWORD })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test("always to a person: the one who becomes its owner cannot leave, be deleted or be demoted at that moment", async () => {
    for (const end of [
      ({ at, heir }: Ending) => heir.browser.send("DELETE", `${at}/membership`),
      ({ at, heir, browser }: Ending) => browser.send("DELETE", `${at}/members/${heir.id}`),
      ({ at, heir, browser }: Ending) => browser.send("PUT", `${at}/members/${heir.id}`, { role: "member" }),
    ]) {
      const { server, browser, at, user, organization, add } = await start();
      const { db, transaction } = server.ctx.store;
      const heir = await add("admin");
      const elsewhere = await heir.browser.send("POST", "/api/organizations", { name: "Elsewhere" });
      expect(elsewhere.status).toBe(201);
      const { ending } = await transaction(async (trx) => {
        await lockOwners(trx, organization.id);
        await updateMemberRole(trx, organization.id, heir.id, "owner");
        await updateMemberRole(trx, organization.id, user.id, "admin");
        const sent = end({ at, heir, browser });
        if (engine === "postgres")
          await eventually(
            () => countWaiting(db),
            (waiting) => waiting > 0,
          );
        return { ending: sent };
      });
      const { status } = await ending;
      expect([403, 409]).toContain(status);
      expect(await lockOwners(db, organization.id)).toEqual([heir.id]);
    }
  });

  test("by its owners: who is made less at that moment neither gives roles nor removes anybody", async () => {
    for (const change of [
      ({ at, browser, heir }: Ending) => browser.send("PUT", `${at}/members/${heir.id}`, { role: "owner" }),
      ({ at, browser, heir }: Ending) => browser.send("DELETE", `${at}/members/${heir.id}`),
    ]) {
      const { server, browser, at, user, organization, add } = await start();
      const { db, transaction } = server.ctx.store;
      const heir = await add("member");
      const { changing } = await transaction(async (trx) => {
        await lockOwners(trx, organization.id);
        await updateMemberRole(trx, organization.id, user.id, "viewer");
        const sent = change({ at, browser, heir });
        if (engine === "postgres") await eventually(() => countWaiting(db), Boolean);
        return { changing: sent };
      });
      expect((await changing).status).toBe(403);
      const others = await db
        .selectFrom("memberships")
        .select("role")
        .where("user_id", "=", heir.id)
        .execute();
      expect(others).toEqual([{ role: "member" }]);
    }
  });

  test("and left once, however often it is requested at that moment", async () => {
    const { server, organization, at, add } = await start();
    const { db, transaction } = server.ctx.store;
    const { browser } = await add("admin");
    const elsewhere = await browser.send("POST", "/api/organizations", { name: "Elsewhere" });
    expect(elsewhere.status).toBe(201);
    const { leaving } = await transaction(async (trx) => {
      await lockOwners(trx, organization.id);
      const sent = [1, 2].map(() => browser.send("DELETE", `${at}/membership`));
      if (engine === "postgres")
        await eventually(
          () => countWaiting(db),
          (waiting) => waiting === sent.length,
        );
      return { leaving: sent };
    });
    const answers = await Promise.all(leaving);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const left = await db
      .selectFrom("audit_log")
      .where("action", "=", "leave organization")
      .where("organization_id", "=", organization.id)
      .selectAll()
      .execute();
    expect(left).toMatchObject([{ before: "admin" }]);
  });
});
