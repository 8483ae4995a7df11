import { expect, onTestFinished, test } from "vitest";
import { listAssignmentVersions } from "../../src/engine/queries/assignments.ts";
import { runRetention } from "../../src/engine/results/retention.ts";
import { rowsOfOrganization } from "../harness/rows.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { openBrowser, PASSWORD, signedIn } from "./browser.ts";

const DAY_MS = 86_400_000;
const NAME = "Lamps & Co";
const TARGET = "http://127.0.0.1:1/";

eachEngine("an organization that is deleted", (engine) => {
  async function start() {
    let now = Date.UTC(2026, 10, 22, 12);
    const clock = { now: () => now };
    const server = await startTestServer({ engine, clock, alone: true, config: { signup: "open" } });
    onTestFinished(server.close);
    const { browser, email } = await signedIn(server);
    const found = async (name: string) =>
      (await browser.send("POST", "/api/organizations", { name })).body.data as { id: number };
    const { id } = await found(NAME);
    await browser.send("PUT", "/api/auth/organization", { organization: String(id) });
    const at = `/api/organizations/${id}`;
    const remove = (name = NAME) => browser.send("DELETE", `${at}?name=${encodeURIComponent(name)}`);
    const watch = async (name: string) =>
      (await browser.send("POST", "/api/domains", { name, url: TARGET })).body.data.id as number;
    const watched = async () =>
      (
        await listAssignmentVersions(server.ctx.store.db, { location: "local", exceptTypes: ["heartbeat"] })
      ).map(({ monitorId }) => monitorId);
    const pass = (ms: number) => {
      now += ms;
    };
    const retain = () => runRetention(server.ctx, { rawDaysOf: () => 90 });
    return { server, browser, email, id, at, found, remove, watch, watched, pass, retain };
  }

  test("waits a week, in which nothing of it is watched, and is cancelled by an owner", async () => {
    const { browser, at, remove, watch, watched, pass, retain } = await start();
    const [shop, paused] = [await watch("Shop"), await watch("Paused")];
    await browser.send("PUT", `/api/domains/${paused}`, { enabled: false });
    expect(await watched()).toEqual([shop]);
    const wrong = await remove("lamps & co");
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["name"]]);
    const answer = await remove(` ${NAME} `);
    expect([answer.status, answer.body.data.deletesAt]).toEqual([200, "2026-11-29T12:00:00.000Z"]);
    expect(await watched()).toEqual([]);
    expect((await browser.send("GET", "/api/auth/me")).body.data.organization.deletesAt).toBe(
      "2026-11-29T12:00:00.000Z",
    );
    const refused = [
      await remove(),
      await browser.send("POST", "/api/domains", { name: "New", url: TARGET }),
      await browser.send("PUT", `/api/domains/${shop}`, { enabled: true }),
      await browser.send("POST", "/api/domains/bulk", { action: "resume", ids: [shop] }),
    ];
    const why =
      "This organization will be deleted at 2026-11-29 12:00:00 UTC; until then nothing is monitored in it. An owner can keep it.";
    expect(refused.map(({ status, body }) => [status, body.message])).toEqual(Array(4).fill([409, why]));
    expect((await browser.send("PUT", `/api/domains/${shop}`, { name: "Renamed" })).status).toBe(200);

    pass(7 * DAY_MS - 1);
    expect((await retain()).rows).not.toHaveProperty("organizations");
    const cancelled = await browser.send("POST", `${at}/keep`);
    expect([cancelled.status, cancelled.body.data.deletesAt]).toEqual([200, null]);
    expect(await watched()).toEqual([shop]);
    expect((await browser.send("POST", `${at}/keep`)).status).toBe(409);
    pass(DAY_MS);
    expect((await retain()).rows).not.toHaveProperty("organizations");
  });

  test("is gone after the week with everything that was its own, and nothing else", async () => {
    const { server, browser, email, id, at, remove, watch, pass, retain } = await start();
    const other = await server.createOrganization();
    await server.api(
      "POST",
      "/api/domains",
      { url: TARGET },
      { key: await server.createKey({ person: other }) },
    );
    const { store } = server.ctx;
    const guest = { email: `guest-${email}`, password: PASSWORD, role: "member" };
    await browser.send("POST", `${at}/members`, guest);
    const guests = openBrowser(server);
    await guests.send("POST", "/api/auth/sign-in", guest);
    await browser.send("POST", `${at}/invitations`, { email: "nobody@vedette.test", role: "viewer" });
    await browser.send("POST", "/api/api-keys", { name: "Key", scopes: ["read:*"] });
    await watch("Shop");
    await remove();
    const before = await rowsOfOrganization(store, other.organization.id);
    pass(7 * DAY_MS);
    const late = await browser.send("POST", `${at}/keep`);
    expect([late.status, late.body.message]).toEqual([
      409,
      "The week in which this deletion could be cancelled is over: the organization is being deleted.",
    ]);
    pass(DAY_MS / 24);
    expect((await retain()).rows).toMatchObject({ organizations: 1, monitors: 1, api_keys: 1 });

    const left = Object.entries(await rowsOfOrganization(store, id)).filter(([, rows]) => rows.length > 0);
    expect(left.map(([name]) => name)).toEqual(["events"]);
    expect(await rowsOfOrganization(store, other.organization.id)).toEqual(before);
    expect((await browser.send("GET", at)).status).toBe(404);
    const me = await browser.send("GET", "/api/auth/me");
    expect([me.status, me.body.data.organizations.length]).toEqual([200, 1]);
    expect((await guests.send("GET", "/api/auth/me")).status).toBe(401);
    const again = await guests.send("POST", "/api/auth/sign-in", guest);
    expect([again.status, again.body.errors.email]).toEqual([
      422,
      [
        "This account does not belong to any organization any more. Get an invitation, and sign in with its link.",
      ],
    ]);
  });

  test("must not be the last one that its owner has, nor of two at once both", async () => {
    const { browser, id, found, remove } = await start();
    const { organizations } = (await browser.send("GET", "/api/auth/me")).body.data;
    const [first] = organizations as { id: number; name: string }[];
    const names = [
      [first?.id, first?.name],
      [id, NAME],
    ] as const;
    const both = await Promise.all(
      names.map(([one, name]) =>
        browser.send("DELETE", `/v2/organizations/${one}?name=${encodeURIComponent(String(name))}`),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.message).toBe("This is your only organization. Create or join another one first.");
    await found("Third");
    const leaving = await browser.send("DELETE", `/api/organizations/${first?.id}/membership`);
    expect(leaving.body.message).toContain("last owner");
    await remove();
  });

  test("signs its people in where they still belong", async () => {
    const { server, browser, email, remove } = await start();
    const { organizations } = (await browser.send("GET", "/api/auth/me")).body.data;
    const [first] = organizations as { id: number; name: string }[];
    await browser.send(
      "DELETE",
      `/api/organizations/${first?.id}?name=${encodeURIComponent(`${first?.name}`)}`,
    );
    const again = openBrowser(server);
    await again.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
    expect((await again.send("GET", "/api/auth/me")).body.data.organization.name).toBe(NAME);
    expect((await remove()).status).toBe(409);
  });

  test("is an owner's to delete and to keep, by name, who has signed in", async () => {
    const { browser, email, at, server, remove } = await start();
    const admin = { email: `admin-${email}`, password: PASSWORD, role: "admin" };
    await browser.send("POST", `${at}/members`, admin);
    const admins = openBrowser(server);
    await admins.send("POST", "/api/auth/sign-in", admin);
    const path = `${at}?name=${encodeURIComponent(NAME)}`;
    expect((await admins.send("DELETE", path)).status).toBe(403);
    const key = await browser.send("POST", "/api/api-keys", { name: "All", scopes: ["*:*"] });
    const asKey = { key: key.body.data.token as string };
    expect((await server.api("DELETE", path, undefined, asKey)).status).toBe(403);
    expect((await browser.send("DELETE", at)).status).toBe(422);
    await remove();
    expect((await admins.send("POST", `${at}/keep`)).status).toBe(403);
    expect((await server.api("POST", `${at}/keep`, undefined, asKey)).status).toBe(403);
  });
});
