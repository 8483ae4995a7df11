import type { SecretBox } from "../../../context.ts";

/** Where a webhook or a channel of Slack leads; `secret` is what a webhook's messages are signed with. */
export interface Destination {
  url: string;
  secret: string;
}

/** As it is kept; null where there is none. */
export const sealDestination = (secrets: SecretBox, destination: Destination | null): string | null =>
  destination && secrets.seal(JSON.stringify(destination));

/** Where it leads. */
export const openDestination = (secrets: SecretBox, sealed: string): Destination =>
  JSON.parse(secrets.open(sealed)) as Destination;
