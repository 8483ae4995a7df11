import { expect, test } from "vitest";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { CHANNELS, startTelling } from "../channel-setup.ts";

const HOUR_MS = 3_600_000;
const DOWN = "Shop is down";
const UP = "Shop is up again";

/** A person with a mailbox that channels of the organization may write to, too. */
async function start(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, mail, addChannel, check, deliver, pass } = telling;
  await server.api("PUT", "/api/notifications/settings", { emailNotifications: true, emailDowntime: true });
  const { email } = await server.ctx.store.db
    .selectFrom("users")
    .select("email")
    .where("id", "=", server.person.userId)
    .executeTakeFirstOrThrow();
  return {
    ...telling,
    async addMailbox(settings: object = {}) {
      const id = await addChannel({ type: "email", config: { address: email }, ...settings });
      mail.mails.splice(0);
      return `${CHANNELS}/${id}`;
    },
    fails: () => check("ok", "ok", "failed", "failed", "failed"),
    async recovers() {
      await check("ok", "ok", "ok");
      await deliver();
    },
    /** Nothing happens for an hour. */
    async waits() {
      await deliver();
      pass(HOUR_MS);
      await deliver();
    },
    subjects: () =>
      mail.mails.filter(({ to }) => to.includes(email)).map(({ headers }) => headers["subject"]),
  };
}

eachEngine("a person whose address a channel of the organization writes to", (engine) => {
  test("gets the channel's mails alone where it sends all that their own would", async () => {
    const { addMailbox, fails, waits, recovers, subjects } = await start(engine);
    await addMailbox({ events: ["monitor.down", "monitor.up"] });
    await fails();
    await waits();
    await recovers();
    expect(subjects()).toEqual([DOWN, UP]);
  });

  test("gets the end of an outage by their own where the channel sends no ends", async () => {
    const { addMailbox, fails, waits, recovers, subjects } = await start(engine);
    await addMailbox({ events: ["monitor.down"] });
    await fails();
    await waits();
    await recovers();
    expect(subjects()).toEqual([DOWN, DOWN, UP]);
  });

  test("is reminded by their own where the channel sends no reminders", async () => {
    const { server, monitorId, addMailbox, fails, deliver, pass, subjects } = await start(engine);
    await server.api("PUT", `/api/domains/${monitorId}`, { severity: "critical" });
    await addMailbox({ reminder: "never" });
    await fails();
    await deliver();
    pass(5 * HOUR_MS);
    await deliver();
    expect(subjects()).toEqual([DOWN, DOWN, "Shop is still down"]);
  });

  test("is notified by their own where the channel is deleted before it has sent anything", async () => {
    const { server, addMailbox, fails, waits, recovers, subjects } = await start(engine);
    const mailbox = await addMailbox();
    await fails();
    expect((await server.api("DELETE", mailbox)).status).toBe(200);
    await waits();
    expect(subjects()).toEqual([DOWN]);
    await recovers();
    expect(subjects()).toEqual([DOWN, UP]);
  });

  const changes: [string, (mailbox: string) => [string, string, object?]][] = [
    ["is deleted", (mailbox) => ["DELETE", mailbox]],
    ["is turned off", (mailbox) => ["PUT", mailbox, { enabled: false }]],
    ["leads elsewhere", (mailbox) => ["PUT", mailbox, { config: { address: "team@elsewhere.test" } }]],
    ["no longer sends ends", (mailbox) => ["PUT", mailbox, { events: ["monitor.down"] }]],
  ];
  for (const [happens, requestOf] of changes) {
    test(`is notified by their own, to its end, of an outage during which the channel ${happens}`, async () => {
      const { server, addMailbox, fails, waits, recovers, subjects } = await start(engine);
      const mailbox = await addMailbox();
      await fails();
      await waits();
      expect(subjects()).toEqual([DOWN]);
      const [method, path, body] = requestOf(mailbox);
      expect((await server.api(method, path, body)).status).toBe(200);
      await waits();
      expect(subjects()).toEqual([DOWN, DOWN]);
      await recovers();
      expect(subjects()).toEqual([DOWN, DOWN, UP]);
    });
  }
});
