import { expect, test } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { openBrowser } from "../../accounts/browser.ts";
import { eachEngine } from "../../harness/stores.ts";
import { CHANNELS, channelTokenIn, startTelling } from "../channel-setup.ts";
import { PUBLIC_URL, tokenIn } from "../mailing.ts";

const LINK = "/api/auth/acknowledgement";
const DAY_MS = 86_400_000;
const OUTSIDER = "outsider@elsewhere.test";

eachEngine("an address that a channel is to write to", (engine) => {
  const start = async (config: object = {}) => {
    const telling = await startTelling(engine, config);
    const { server, mail, deliver } = telling;
    const visitor = openBrowser(server);
    return {
      ...telling,
      add: (address = OUTSIDER, more: object = {}) =>
        server.api("POST", CHANNELS, {
          name: `Mail ${Math.random()}`,
          type: "email",
          config: { address },
          ...more,
        }),
      resendConfirmation: (id: number) => server.api("POST", `${CHANNELS}/${id}/confirmation`),
      get: async (id: number) => (await server.api("GET", `${CHANNELS}/${id}`)).body.data,
      open: (path: string, token: string) => visitor.send("POST", path, { token }, { origin: PUBLIC_URL }),
      /** The tokens of the confirmation requests mailed since the last call. */
      async confirmationTokens() {
        await deliver();
        return mail.mails.splice(0).map(({ text }) => channelTokenIn(text));
      },
    };
  };

  test("is sent one confirmation request and nothing else, until whoever has it confirms", async () => {
    const { add, check, deliver, mail, open, get, server, deliveries } = await start();
    const added = await add(OUTSIDER, { language: "de", reminder: "15m", hours: { days: ["monday"] } });
    expect(added.status).toBe(201);
    const { id, confirmed } = added.body.data;
    expect(confirmed).toBe(false);
    await deliver();
    expect(mail.mails.map(({ to, headers }) => [to, headers["subject"]])).toEqual([
      [[OUTSIDER], "Darf Vedette Ihnen schreiben?"],
    ]);
    const [confirmation] = mail.mails.splice(0);
    expect(confirmation?.text).toContain(server.person.organization.name);
    expect(confirmation?.text).not.toContain("/settings/");
    const token = channelTokenIn(confirmation?.text ?? "");
    await check("ok", "ok", "failed", "failed", "failed");
    const tested = await server.api("POST", `${CHANNELS}/${id}/test`);
    expect(tested.body.data).toMatchObject({
      accepted: false,
      answerFact: { code: "delivery.unconfirmed" },
    });
    await deliver();
    expect(mail.mails).toEqual([]);
    const log = await deliveries(id);
    expect(log.map(({ event, state }) => [event, state])).toEqual([
      ["test", "failed"],
      ["confirmation", "sent"],
    ]);
    for (const { id: delivery } of log) {
      const again = await server.api("POST", `${CHANNELS}/${id}/deliveries/${delivery}/resend`);
      expect(again.status).toBe(409);
    }
    expect(JSON.stringify(await server.api("GET", `${CHANNELS}/${id}/deliveries`))).not.toContain(token);

    // Opening the link is no answer.
    const read = await open(LINK, token);
    expect(read.body.data).toMatchObject({ asks: "confirm", state: "open", incidentId: null });
    expect((await get(id)).confirmed).toBe(false);
    const [first, second] = await Promise.all([
      open(`${LINK}/confirm`, token),
      open(`${LINK}/confirm`, token),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 422]);
    expect((await open(LINK, token)).body.data.state).toBe("acknowledged");
    expect((await get(id)).confirmed).toBe(true);
    const audit = await server.api("GET", `/api/organizations/${server.person.organization.id}/audit-log`);
    expect(audit.body.data[0]).toMatchObject({ action: "confirm channels" });
    expect((await server.api("POST", `${CHANNELS}/${id}/test`)).body.data.accepted).toBe(true);
  });

  test("is notified once it is confirmed of what is down then, and of nothing before", async () => {
    const { add, checkOf, addMonitor, deliver, mail, open, confirmationTokens, pass } = await start();
    await add(OUTSIDER, { reminder: "15m" });
    const [token = ""] = await confirmationTokens();
    const [before, after] = [await addMonitor({ name: "Before" }), await addMonitor({ name: "After" })];
    await checkOf(before, "ok", "ok", "failed", "failed", "failed");
    const over = await addMonitor({ name: "Over" });
    await checkOf(over, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    await checkOf(over, "ok", "ok", "ok");
    await deliver();
    expect(mail.mails).toEqual([]);
    await open(`${LINK}/confirm`, token);
    pass(60_000);
    await deliver();
    await checkOf(before, "ok", "ok", "ok");
    await deliver();
    await checkOf(after, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual([
      ...["Before is down", "Before is up again", "After is down"],
    ]);
  });

  test("that is changed gets a new request, and the link of the one before is worth nothing", async () => {
    const { add, get, confirmationTokens, open, server, check, deliver, mail } = await start();
    const { id } = (await add()).body.data;
    const [old = ""] = await confirmationTokens();
    const other = "other@elsewhere.test";
    const change = (body: object) => server.api("PUT", `/v2/notifications/channels/${id}`, body);
    expect((await change({ config: { address: other } })).body.data.confirmed).toBe(false);
    const [token = ""] = await confirmationTokens();
    expect((await open(LINK, old)).body.data.state).toBe("resolved");
    await open(`${LINK}/confirm`, old);
    expect((await get(id)).confirmed).toBe(false);
    await open(`${LINK}/confirm`, token);
    // The same address, and whatever else is changed, needs no request.
    const renamed = await change({ name: "Night shift", config: { address: other.toUpperCase() } });
    expect(renamed.body.data).toMatchObject({ name: "Night shift", confirmed: true });
    // What was written for an address that is confirmed is not sent to one that is not.
    await check("ok", "ok", "failed", "failed", "failed");
    expect((await change({ config: { address: OUTSIDER } })).body.data.confirmed).toBe(false);
    await deliver();
    expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual(["May Vedette write to you?"]);
    expect(await confirmationTokens()).toHaveLength(1);
    expect((await get(id)).confirmed).toBe(false);
  });

  test("of a member gets a request unless it is known to be theirs", async () => {
    const { add, open, confirmationTokens, server } = await start();
    const { db } = server.ctx.store;
    const { userId } = server.person;
    const row = await db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
    const email = row?.email ?? "";
    await db.updateTable("users").set({ email_confirmed_at: null }).where("id", "=", userId).execute();
    expect((await add(email)).body.data.confirmed).toBe(false);
    const [token = ""] = await confirmationTokens();
    expect((await add(email.toUpperCase())).body.data.confirmed).toBe(false);
    // What they have answered for one channel is known of their address.
    expect((await open(`${LINK}/confirm`, token)).status).toBe(200);
    expect((await add(email.toUpperCase())).body.data.confirmed).toBe(true);
    // A member of another organization is an outsider here.
    const { userId: elsewhere } = await server.createOrganization();
    const theirs = await db
      .selectFrom("users")
      .select("email")
      .where("id", "=", elsewhere)
      .executeTakeFirst();
    await confirmUserEmail(db, elsewhere, 1);
    expect((await add(theirs?.email)).body.data.confirmed).toBe(false);
  });

  test("of a member gets a request once they have left, or have another, unless it was confirmed before", async () => {
    const { add, get, open, confirmationTokens, check, server, addChannel } = await start();
    const { db } = server.ctx.store;
    const at = `/api/organizations/${server.person.organization.id}/members`;
    const join = async (email: string) => {
      const body = { email, role: "member", password: "correct horse battery" };
      const { id } = (await server.api("POST", at, body)).body.data;
      await confirmUserEmail(db, id, 1);
      return id as number;
    };
    const confirmedId = await addChannel({ type: "email", config: { address: OUTSIDER } });
    const memberId = await join(OUTSIDER);
    const { id, confirmed } = (await add(OUTSIDER.toUpperCase())).body.data;
    expect(confirmed).toBe(true);
    await server.api("PUT", `${CHANNELS}/${id}`, { name: "Night shift" });
    expect((await server.api("DELETE", `${at}/${memberId}`)).status).toBe(200);
    expect([(await get(id)).confirmed, (await get(confirmedId)).confirmed]).toEqual([false, true]);
    await server.api("DELETE", `${CHANNELS}/${confirmedId}`);
    await check("ok", "ok", "failed", "failed", "failed");
    const [token = "", ...more] = await confirmationTokens();
    expect(more).toEqual([]);
    expect((await open(`${LINK}/confirm`, token)).status).toBe(200);
    expect((await get(id)).confirmed).toBe(true);
  });

  test("says yes to every channel of the organization that waits for it, and to nobody else's", async () => {
    const { add, get, open, confirmationTokens, server } = await start();
    const at = `/api/organizations/${server.person.organization.id}/members`;
    const body = { email: OUTSIDER, role: "member", password: "correct horse battery" };
    const { id: memberId } = (await server.api("POST", at, body)).body.data;
    await confirmUserEmail(server.ctx.store.db, memberId, 1);
    const ids: number[] = [];
    for (const address of [OUTSIDER, OUTSIDER.toUpperCase()]) ids.push((await add(address)).body.data.id);
    const other = (await add("other@elsewhere.test")).body.data.id;
    const key = await server.createKey({ person: await server.createOrganization() });
    const theirs = { name: "Mail", type: "email", config: { address: OUTSIDER } };
    const elsewhere = (await server.api("POST", CHANNELS, theirs, { key })).body.data.id;
    await confirmationTokens();
    await server.api("DELETE", `${at}/${memberId}`);
    const confirmed = async () => Promise.all(ids.map(async (id) => (await get(id)).confirmed));
    expect(await confirmed()).toEqual([false, false]);
    const [token = "", ...more] = await confirmationTokens();
    expect(more).toEqual([]);
    expect((await open(`${LINK}/confirm`, token)).status).toBe(200);
    expect(await confirmed()).toEqual([true, true]);
    expect((await get(other)).confirmed).toBe(false);
    const read = await server.api("GET", `${CHANNELS}/${elsewhere}`, undefined, { key });
    expect(read.body.data.confirmed).toBe(false);
    const audit = await server.api("GET", `/api/organizations/${server.person.organization.id}/audit-log`);
    const actions = audit.body.data.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === "confirm channels")).toHaveLength(2);
  });

  test.each(["leave", "have another"])("of people gets a request once they %s", async (how) => {
    const { add, get, deliver, mail, server } = await start();
    const { db } = server.ctx.store;
    const { organization } = server.person;
    const password = "correct horse battery";
    const origin = PUBLIC_URL;
    const own = openBrowser(server);
    await own.send("POST", "/api/auth/sign-up", { email: OUTSIDER, password }, { origin });
    const { user } = (await own.send("GET", "/api/auth/me")).body.data;
    await insertMember(db, { userId: user.id, organizationId: organization.id, role: "member" }, 1);
    await confirmUserEmail(db, user.id, 1);
    const { id, confirmed } = (await add()).body.data;
    expect(confirmed).toBe(true);
    await deliver();
    mail.mails.splice(0);
    if (how === "leave") {
      const path = `/api/organizations/${organization.id}/membership`;
      expect((await own.send("DELETE", path, undefined, { origin })).status).toBe(200);
    } else {
      const change = { email: "other@elsewhere.test", password };
      await own.send("POST", "/api/auth/email", change, { origin });
      await deliver();
      const token = tokenIn(mail.mails.splice(0)[0]?.text ?? "");
      expect((await own.send("POST", "/api/auth/email/confirm", { token }, { origin })).status).toBe(200);
    }
    expect((await get(id)).confirmed).toBe(false);
    await deliver();
    const requests = mail.mails.filter(({ text }) => channelTokenIn(text) !== "");
    expect(requests.map(({ to }) => to)).toEqual([[OUTSIDER]]);
  });

  test("gets three requests a day at most, whoever causes them and whatever was deleted", async () => {
    const { add, resendConfirmation, confirmationTokens, server, pass } = await start();
    const { id } = (await add()).body.data;
    expect((await resendConfirmation(id)).status).toBe(200);
    expect((await server.api("DELETE", `${CHANNELS}/${id}`)).status).toBe(200);
    const key = await server.createKey({ role: "owner" });
    const body = { name: "Mail", type: "email", config: { address: OUTSIDER.toUpperCase() } };
    const theirs = await server.api("POST", "/v2/notifications/channels", body, { key });
    expect(theirs.status).toBe(201);
    const again = `/v2/notifications/channels/${theirs.body.data.id}/confirmation`;
    const refused = await server.api("POST", again, undefined, { key });
    expect(refused.status).toBe(429);
    expect((await add("Outsider@elsewhere.test")).status).toBe(429);
    // Those of the channel that is gone were not sent: nobody could answer them.
    expect(await confirmationTokens()).toHaveLength(1);
    pass(DAY_MS);
    expect((await server.api("POST", again, undefined, { key })).status).toBe(200);
    expect((await add()).status).toBe(201);
  });

  test("gets no more requests though many organizations want to send at the same moment", async () => {
    const { server, confirmationTokens } = await start();
    const keys: string[] = [];
    for (let each = 0; each < 12; each += 1) {
      keys.push(await server.createKey({ person: await server.createOrganization() }));
    }
    const body = { name: "Mail", type: "email", config: { address: OUTSIDER } };
    const answers = await Promise.all(keys.map((key) => server.api("POST", CHANNELS, body, { key })));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 429)]);
    expect(await confirmationTokens()).toHaveLength(3);
  });

  test("is one of twenty to which an organization sends requests within a day", async () => {
    const { add, server } = await start();
    for (let count = 0; count < 20; count += 1) {
      expect((await add(`person${count}@elsewhere.test`)).status).toBe(201);
    }
    expect((await add()).status).toBe(429);
    const key = await server.createKey({ role: "owner" });
    const body = { name: "Mail", type: "email", config: { address: OUTSIDER } };
    expect((await server.api("POST", CHANNELS, body, { key })).status).toBe(201);
  });

  test("gets no request where no mail with links is sent, nor once it is confirmed", async () => {
    const { add, resendConfirmation, confirmationTokens, addChannel } = await start({ publicUrl: null });
    const { id, confirmed } = (await add()).body.data;
    expect(confirmed).toBe(false);
    expect(await confirmationTokens()).toEqual([]);
    expect((await resendConfirmation(id)).status).toBe(403);
    expect((await resendConfirmation(await addChannel())).status).toBe(409);
    expect((await resendConfirmation(id + 1_000_000)).status).toBe(404);
  });

  test("is not confirmed by the link of another message, nor by one that is a week old", async () => {
    const { add, get, confirmationTokens, open, pass } = await start();
    const { id } = (await add()).body.data;
    const [token = ""] = await confirmationTokens();
    const [uuid] = token.split(".");
    expect((await open(`${LINK}/confirm`, `${uuid}.${"A".repeat(43)}`)).status).toBe(422);
    pass(7 * DAY_MS);
    expect((await open(`${LINK}/confirm`, token)).status).toBe(422);
    expect((await get(id)).confirmed).toBe(false);
  });
});
