import type { SecretBox } from "../../../context.ts";

/** Where a webhook or a channel of Slack leads; `secret` is what a webhook's messages are signed with. */
export interface Destination {
  url: string;
  secret: string;
  /** A member added it: then it may be inside the network. A visitor's is a public one, whatever monitors may reach. */
  mayBeInside?: true;
}

/** As it is kept; null where there is none. */
export const sealDestination = (secrets: SecretBox, destination: Destination | null): string | null =>
  destination && secrets.seal(JSON.stringify(destination));

/** Where it leads. */
export const openDestination = (secrets: SecretBox, sealed: string): Destination =>
  JSON.parse(secrets.open(sealed)) as Destination;
