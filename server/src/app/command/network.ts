import type { Network } from "../../checks/network.ts";
import { createResolver } from "../../checks/resolve.ts";
import { PageReader } from "../../checks/site/page-reader.ts";
import { ToolRunner, type ToolSettings } from "../../checks/toolbox/tool-runner.ts";
import type { Config } from "../../platform/config.ts";
import type { Logger } from "../../platform/context.ts";

export const networkOf = (config: Config): Network => ({
  resolver: createResolver({ servers: config.resolvers, policy: config.targets }),
  policy: config.targets,
  ehloName: config.ehloName ?? undefined,
});

export const toolSettingsOf = (config: Config): ToolSettings => {
  const { resolvers, targets: policy, geoDatabase, asnDatabase, rdapBootstrap, dataFolder } = config;
  return { resolvers, policy, sources: { geoDatabase, asnDatabase, rdapBootstrap, dataFolder } };
};

export const toolsOf = (config: Config, log: Logger): ToolRunner =>
  new ToolRunner({ settings: toolSettingsOf(config), log });

export const pagesOf = (config: Config, log: Logger): PageReader =>
  new PageReader({ settings: { resolvers: config.resolvers, policy: config.targets }, log });
