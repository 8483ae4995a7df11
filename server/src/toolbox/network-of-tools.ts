import { followNameServersInUse } from "../check/name-servers.ts";
import type { Network } from "../check/network.ts";
import { createResolver } from "../check/resolve.ts";
import type { ToolSettings } from "./tool-messages.ts";

/** The network as tools may use it: the operator's name servers, and the policy about targets. */
export const networkOfTools = ({ resolvers, policy }: Omit<ToolSettings, "sources">): Network => ({
  resolver: createResolver({ servers: resolvers, policy }),
  policy,
  nameServers: followNameServersInUse(resolvers, {}),
});
