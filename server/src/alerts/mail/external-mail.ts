import { Type } from "typebox";
import { findUser, isEmailConfirmed } from "../../platform/access/queries/users.ts";
import { PublicError, unauthenticated } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { readerOf } from "../../platform/i18n/reader.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { outcomeOf } from "../deliver.ts";
import { enqueue } from "../outbox.ts";
import { deleteDelivery } from "../queries/outbox.ts";
import { LEASE_MS } from "../retry-rules.ts";
import { MailSettings, MailTest, projectMailSettings, projectMailTest } from "../schemas/mail.ts";
import { mailTransport, senderOf } from "./mail-transport.ts";
import { assertSmtp, countExternalMail, sendsMail } from "./send-mail.ts";

const DAY_MS = 86_400_000;

type Sending = Pick<Running, "db" | "clock" | "config" | "caller">;

/**
 * Throws 403 where anybody may sign up and the caller's own address is not known to be theirs: an account that costs nothing
 * must not write to others.
 */
export async function assertAddressConfirmed({ db, config, caller }: Sending): Promise<void> {
  if (config.signup !== "open" || (await isEmailConfirmed(db, caller.userId))) return;
  throw new PublicError("forbidden", msg("mail.confirm_first"));
}

/** Counts a mail that the caller has sent to another person's address. Throws 429 after too many within a day. */
export async function takeExternalMailQuota(ctx: Sending, recipient: string): Promise<void> {
  if ((await countExternalMail(ctx, ctx.caller, recipient)) === null) return;
  throw new PublicError("rate_limited", msg("mail.external_limit"), { retryAfterSeconds: DAY_MS / 1000 });
}

/** How long the caller waits for an answer. */
const TIMEOUT_MS = 30_000;

/**
 * Sends a mail to the caller's own address through the outbox, and says at once what the mail server answered, whatever it
 * is. Throws 403 where no mail server is configured; 429 after too many to an address that may be another person's.
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
    const isOwn = config.signup !== "open" || (await isEmailConfirmed(store.db, user.id));
    if (!isOwn) await store.transaction((db) => takeExternalMailQuota({ ...ctx, db }, user.email));
    const mail = { kind: "test", reader: readerOf(user, caller.language), params: {}, link: null } as const;
    const message = {
      transport: "mail",
      recipient: user.email,
      organizationId: null,
      content: mail,
    } as const;
    // Held: no other worker sends it, and it is not retried once it was answered.
    const held = clock.now() + LEASE_MS;
    const delivery = await enqueue({ ...ctx, db: store.db }, { ...message, worthMs: LEASE_MS }, held);
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const outcome = await outcomeOf(ctx, delivery, { transport: mailTransport, signal });
      return { to: user.email, outcome };
    } finally {
      await deleteDelivery(store.db, delivery.id);
    }
  },
  async run(ctx, _, { to, outcome }) {
    ctx.record({ name: to });
    return outcome.is === "sent"
      ? projectMailTest(to, { accepted: true, message: outcome.said })
      : projectMailTest(to, { accepted: false, message: outcome.why });
  },
});

/** The mail settings of this installation, for those who may test them (sendTestMail). */
export const getMailSettings = verb({
  resource: "organization",
  role: "owner",
  action: "read",
  input: Type.Object({}),
  output: MailSettings,
  async run({ config }) {
    return projectMailSettings(config.smtp, { sender: senderOf(config), links: sendsMail(config) });
  },
});
