import { hostProblem } from "../../../check/host-problem.ts";
import type { Context, SecretBox } from "../../../context.ts";
import { webUrlProblem } from "../../../monitor/web-url.ts";
import { hostOf } from "../../../notification/channel/fields.ts";
import { judged } from "../../../notification/channel/judge.ts";
import type { ChannelRequest } from "../../../notification/channel/kind.ts";
import { composed, post } from "../../../notification/channel/post.ts";
import { newSecret } from "../../../notification/channel/webhook.ts";
import { reachOf } from "../../../notification/person/reach.ts";
import type { Outcome } from "../../../notification/transport.ts";
import { fact } from "../../../texts/fact.ts";
import type { SubscriberChannel } from "./channel.ts";
import { type Destination, openDestination } from "./destination.ts";
import type { Sending } from "./sending.ts";

/** Longer ones no server takes. */
const MAX_URL_LENGTH = 2_048;

/** Makes what is sent from something to send. `now`: milliseconds. */
type MakeRequest = (sending: Sending, destination: Destination, now: number) => ChannelRequest;

/** What all those are told by who have a URL: one request a message. */
export const byRequest = (make: MakeRequest): Omit<SubscriberChannel, "isSigned"> => ({
  lack: ({ publicUrl }) => (publicUrl === null ? fact("mail.no_address") : null),
  read(typed, targets) {
    const problem = typed.length > MAX_URL_LENGTH ? fact("subscriber.no_url") : webUrlProblem(typed);
    const url = problem ? null : URL.parse(typed);
    if (!url) return { problem: problem ?? fact("subscriber.no_url") };
    const refused = hostProblem(url.hostname, targets);
    if (refused) return { problem: refused };
    const { href } = url;
    return { address: hostOf(href), place: href, destination: { url: href, secret: newSecret() } };
  },
  askedPlace: (secrets, { secrets: sealed, address }) =>
    sealed === null ? address : placeOf(secrets, sealed),
  send: (ctx, sending, signal) => sendRequest(ctx, { sending, make }, signal),
});

/** Neither a URL's query nor a name before its host makes somebody else of who is asked there. */
function placeOf(secrets: SecretBox, sealed: string): string {
  const { origin, pathname } = new URL(openDestination(secrets, sealed).url);
  return origin + pathname;
}

/** Sends past the guard. Where that leads is a secret, which no log has. */
async function sendRequest(
  { network, secrets, clock }: Context,
  { sending, make }: { sending: Sending; make: MakeRequest },
  signal: AbortSignal,
): Promise<Outcome> {
  const { subscriber } = sending;
  if (subscriber.secrets === null) return { is: "refused", why: fact("subscriber.gone") };
  const destination = openDestination(secrets, subscriber.secrets);
  const now = clock.now();
  const request = composed(make(sending, destination, now));
  // Older versions kept no word of it. Visitors are asked, whom members add usually are not.
  const isMember = destination.mayBeInside ?? subscriber.askedAt === null;
  const reach = reachOf(network, { isMember });
  const answer = await post(request, reach, signal);
  if ("failure" in answer) {
    return { is: "postponed", why: { ...fact("delivery.unreached"), because: answer.failure } };
  }
  const outcome = judged({}, answer, { where: request.url.host, secrets: [destination.url], now });
  return outcome === "unknown" ? { is: "refused", why: fact("delivery.error") } : outcome;
}
