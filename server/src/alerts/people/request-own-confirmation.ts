import { Type } from "typebox";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { verb } from "../../platform/operations/operation.ts";
import { requestConsent } from "../operations/consent.ts";
import { findOwnChannel } from "../queries/own-channels.ts";
import { NotificationSettings } from "../schemas/notifications.ts";
import { showOwnSettings } from "./own-settings.ts";
import { isWaiting } from "./trusted-address.ts";

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
