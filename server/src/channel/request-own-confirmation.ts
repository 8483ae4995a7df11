import { Type } from "typebox";
import { PublicError } from "../errors.ts";
import { isWaiting } from "../notification/person/trusted-address.ts";
import { findOwnChannel } from "../store/queries/notification-settings.ts";
import { lockOrganization } from "../store/queries/organizations.ts";
import { msg } from "../texts/message.ts";
import { verb } from "../verb/verb.ts";
import { NotificationSettings } from "../wire/notifications.ts";
import { requestConsent } from "./consent.ts";
import { showOwnSettings } from "./own-settings.ts";

/**
 * Mails the caller another request to confirm their account's address. Throws 409 where it is confirmed or needs no
 * confirmation, 403 where no mail with links is sent, 429 after too many.
 */
export const requestOwnConfirmation = verb({
  resource: "notifications",
  action: "write",
  role: "viewer",
  // It concerns only the caller.
  audit: null,
  input: Type.Object({}),
  output: NotificationSettings,
  async run(ctx) {
    const { db, caller, config } = ctx;
    await lockOrganization(db, caller.organizationId);
    const channel = await findOwnChannel(db, caller, "email");
    if (!channel || !isWaiting(config, channel)) throw new PublicError("conflict", msg("settings.confirmed"));
    await requestConsent(ctx, channel);
    return showOwnSettings(ctx);
  },
});
