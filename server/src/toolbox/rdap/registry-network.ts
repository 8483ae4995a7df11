import type { Network } from "../../check/network.ts";
import type { ToolEnvironment } from "../tool.ts";

/**
 * How registries are reached. They are public, and whoever redirects from one to an address inside means no good; only
 * an operator who names lists of their own may have registries inside.
 */
export const networkOfRegistries = ({ network, sources }: ToolEnvironment): Network =>
  sources.rdapBootstrap === null ? { ...network, policy: "public" } : network;
