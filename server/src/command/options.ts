import type { Command } from "commander";
import { type Config, readConfig } from "../config.ts";

/** Flags every command that touches the data understands. */
export interface DataFlags {
  data?: string;
}

/** Adds `--data` to a command. */
export const withData = (command: Command): Command =>
  command.option("--data <folder>", "the data folder (VEDETTE_DATA, default ./data)");

/** Configuration from the environment and these flags. Throws ConfigError. */
export const configOf = (environment: NodeJS.ProcessEnv, flags: DataFlags): Config =>
  readConfig(environment, { dataFolder: flags.data });
