import { normalizeEmail } from "../account/email.ts";
import { hashToken } from "../account/token.ts";
import { tooManyAttempts } from "../errors.ts";
import type { HttpCall } from "./listing.ts";

const HOUR_SECONDS = 3_600;

/**
 * Counts a mail to an address, whoever asks for it. Throws 429 for more than `anHour`: they would only fill somebody's
 * inbox. `group`: what they are about.
 */
export async function limitMails(
  { request }: Pick<HttpCall, "request">,
  { group, to, anHour }: { group: string; to: string; anHour: number },
): Promise<void> {
  const sent = await request.server.limiter.count(group, hashToken(normalizeEmail(to)), HOUR_SECONDS);
  if (sent.count > anHour) throw tooManyAttempts(sent.resetSeconds);
}
