import { randomUUIDv7 } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { insertChannel, listChannels } from "../../../src/alerts/queries/channels.ts";
import { confirmUserEmail } from "../../../src/alerts/queries/own-channels.ts";
import { lockOrganization } from "../../../src/platform/access/queries/organizations.ts";
import { openBrowser } from "../../accounts/browser.ts";
import { eventually } from "../../harness/eventually.ts";
import { countWaiting } from "../../harness/waiting.ts";
import { startTelling } from "../channel-setup.ts";
import { PUBLIC_URL, tokenIn } from "../mailing.ts";

const FORMER = "outsider@elsewhere.test";

/** A channel of e-mail that needs no confirmation, since its address is a member's. */
const ofMember = (organizationId: number) => ({
  ...{ uuid: randomUUIDv7(), organizationId, name: "Mail", type: "email", config: { address: FORMER } },
  ...{ secrets: null, target: FORMER, events: [], severities: [], tags: [], hours: null },
  ...{ language: "en" as const, timeZone: "UTC", reminder: "never" as const, enabled: true },
  ...{ confirmedAt: 1, confirmedAsMember: true },
});

// SQLite has one writer.
describe.skipIf("missing" in inject("postgres"))("a member's former address", () => {
  test("gets a confirmation request for a channel that is added while they change to another", async () => {
    const { server, mail, deliver } = await startTelling("postgres");
    const { db } = server.ctx.store;
    const organizationId = server.person.organization.id;
    const password = "correct horse battery";
    const origin = PUBLIC_URL;
    const own = openBrowser(server);
    await own.send("POST", "/api/auth/sign-up", { email: FORMER, password }, { origin });
    const { user } = (await own.send("GET", "/api/auth/me")).body.data;
    await insertMember(db, { userId: user.id, organizationId, role: "member" }, 1);
    await confirmUserEmail(db, user.id, 1);
    await deliver();
    mail.mails.splice(0);
    await own.send("POST", "/api/auth/email", { email: "other@elsewhere.test", password }, { origin });
    await deliver();
    const token = tokenIn(mail.mails[0]?.text ?? "");

    const { change } = await server.ctx.store.transaction(async (trx) => {
      await lockOrganization(trx, organizationId);
      const change = own.send("POST", "/api/auth/email/confirm", { token }, { origin });
      const waiting = eventually(
        () => countWaiting(db),
        (count) => count > 0,
      );
      await Promise.race([change, waiting]);
      await insertChannel(trx, ofMember(organizationId), 1);
      return { change };
    });
    expect((await change).status).toBe(200);
    const [channel] = await listChannels(db, organizationId);
    expect(channel).toMatchObject({ confirmedAt: null, confirmedAsMember: false });
  });
});
