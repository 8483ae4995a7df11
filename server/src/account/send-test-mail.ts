import { Type } from "typebox";
import { unauthenticated } from "../errors.ts";
import { outcomeOf } from "../notification/attempt.ts";
import { mailTransport } from "../notification/mail/mail-transport.ts";
import { assertSmtp } from "../notification/mail/send-mail.ts";
import { enqueue } from "../notification/outbox.ts";
import { LEASE_MS } from "../notification/rules.ts";
import { deleteDelivery } from "../store/queries/outbox.ts";
import { findUser } from "../store/queries/users.ts";
import { readerOf } from "../texts/reader.ts";
import { verb } from "../verb/verb.ts";
import { MailTest, projectMailTest } from "../wire/mail.ts";

/** Nobody waits longer for an answer. */
const PATIENCE_MS = 30_000;

/**
 * Sends a mail to the caller's own address through the outbox, and says at once what the mail server answered, whatever it
 * is. Throws 403 where no mail server is configured.
 */
export const sendTestMail = verb({
  resource: "organization",
  role: "owner",
  action: "write",
  audit: "send test mail",
  input: Type.Object({}),
  output: MailTest,
  async prepare(ctx) {
    const { store, clock, caller, config } = ctx;
    assertSmtp(config);
    const user = await findUser(store.db, caller.userId);
    if (!user) throw unauthenticated();
    const mail = { kind: "test", reader: readerOf(user, caller.language), params: {}, link: null } as const;
    const message = {
      transport: "mail",
      recipient: user.email,
      organizationId: null,
      content: mail,
    } as const;
    // Held: nobody else sends it, and nobody tries again what has been answered.
    const held = clock.now() + LEASE_MS;
    const delivery = await enqueue({ ...ctx, db: store.db }, { ...message, worthMs: LEASE_MS }, held);
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const outcome = await outcomeOf(ctx, delivery, { transport: mailTransport, signal });
      return { to: user.email, outcome };
    } finally {
      await deleteDelivery(store.db, delivery.id);
    }
  },
  async run(ctx, _, { to, outcome }) {
    ctx.record({ name: to });
    return outcome.is === "sent"
      ? projectMailTest(to, { accepted: true, fact: outcome.said })
      : projectMailTest(to, { accepted: false, fact: outcome.why });
  },
});
