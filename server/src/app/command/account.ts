import type { Command } from "commander";
import type { Static, TSchema } from "typebox";
import type { PlanName } from "../../platform/access/plans.ts";
import { type Config, readConfig } from "../../platform/config.ts";
import type { Verb } from "../../platform/operations/operation.ts";
import type { Wiring } from "./wiring.ts";

interface UserFlags extends DataFlags {
  email: string;
  password: string;
  name?: string;
  organization?: string;
}

interface KeyFlags extends DataFlags {
  email: string;
  name: string;
  scopes: string;
  allOrganizations?: boolean;
}

interface ResetFlags extends DataFlags {
  email: string;
  password?: string;
}

interface PlanFlags extends DataFlags {
  reports?: boolean;
}

/** `user create`, `key create`, `plan` and `jobs`: administration from the terminal, also while the server runs. */
export function addAccountCommands(program: Command, wiring: Wiring): void {
  // Loaded on use: `vedette --help` and `vedette check` need none of it.
  const run: Run = async (flags, verb, input) => {
    const { withContext } = await import("./wiring.ts");
    const { callVerb } = await import("../../platform/operations/call.ts");
    const config = configOf(wiring.environment, flags);
    return withContext(wiring, config, (ctx) => callVerb({ ...ctx, operator: true }, verb, input));
  };

  const users = program.command("user").description("People.");
  withData(users.command("create"))
    .description("Create a person, with an organization of their own unless they join one.")
    .requiredOption("--email <address>")
    .requiredOption("--password <text>", "at least 8 characters")
    .option("--name <text>")
    .option("--organization <name>", "join or create the organization of this name")
    .action(async (flags: UserFlags) => {
      const { createUser } = await import("../../accounts/users.ts");
      const { email, password, name, organization } = flags;
      const user = await run(flags, createUser, { email, password, name, organization });
      process.stdout.write(`Created ${user.email} in organization ${user.organization.slug}.\n`);
    });

  withData(users.command("list"))
    .description("List everybody who has an account, with their organizations and roles.")
    .option("--json", "as JSON")
    .action(async (flags: DataFlags & { json?: boolean }) => {
      const { listUsers } = await import("../../accounts/users.ts");
      const all = await run(flags, listUsers, {});
      const rows = all.map(({ email, name, twoFactor, organizations }) => [
        ...[email, name, twoFactor ? "two-factor" : "password"],
        organizations.map(({ slug, role }) => `${slug} (${role})`).join(", "),
      ]);
      process.stdout.write(flags.json ? `${JSON.stringify(all, null, 2)}\n` : tableOf(rows));
    });

  withData(users.command("reset-password"))
    .description("Give a person a new password, and end all of their sessions.")
    .requiredOption("--email <address>")
    .option("--password <text>", "at least 8 characters; without it one is made and printed")
    .action(async ({ email, password, ...flags }: ResetFlags) => {
      const { resetPassword } = await import("../../accounts/users.ts");
      const { randomCode } = await import("../../accounts/spoken-code.ts");
      const given = password ?? randomCode();
      await run(flags, resetPassword, { email, password: given });
      const hint = password === undefined ? ` It is now: ${given}` : "";
      process.stdout.write(`The password of ${email} is changed.${hint}\n`);
    });

  withData(users.command("disable-2fa"))
    .description("Turn off a person's two-factor sign-in, and end all of their sessions.")
    .requiredOption("--email <address>")
    .action(async ({ email, ...flags }: ResetFlags) => {
      const { resetTwoFactor } = await import("../../accounts/users.ts");
      await run(flags, resetTwoFactor, { email });
      process.stdout.write(`${email} signs in with the password alone now.\n`);
    });

  withData(program.command("key").description("API keys.").command("create"))
    .description("Create an API key and print its token, which is not shown again.")
    .requiredOption("--email <address>", "whose key it is")
    .option("--name <text>", "what it is for", "Command line")
    .option("--scopes <list>", "separated by commas, e.g. read:domains,write:incidents", "*:*")
    .option("--all-organizations", "acts in every organization of the person, not only the oldest")
    .action(async (flags: KeyFlags) => {
      const scopes = flags.scopes.split(",").map((scope) => scope.trim());
      const { createKey } = await import("../../accounts/keys.ts");
      const { email, name, allOrganizations } = flags;
      const { token } = await run(flags, createKey, { email, name, scopes, allOrganizations });
      process.stdout.write(`${token}\n`);
    });

  withData(
    program
      .command("plan")
      .argument("<organization>", "id, uuid or slug")
      .argument("<plan>", "free, pro or expert"),
  )
    .description("Set an organization's plan.")
    .option("--reports", "with the reports add-on")
    .option("--no-reports", "without it")
    .action(async (organization: string, plan: string, flags: PlanFlags) => {
      const { setPlan } = await import("../../accounts/organizations.ts");
      const { reports } = flags;
      const set = await run(flags, setPlan, { organization, plan: plan as PlanName, reports });
      process.stdout.write(`${set.slug} is on ${set.plan}${set.reports ? " with reports" : ""}.\n`);
    });
  addJobsCommand(program, run);
}

type Run = <I extends TSchema, R>(
  flags: DataFlags,
  verb: Verb<I, TSchema, R>,
  input: Static<I>,
) => Promise<R>;

function addJobsCommand(program: Command, run: Run): void {
  withData(program.command("jobs"))
    .description("List what runs by itself: how often, when last, for how long, and whether it failed.")
    .option("--json", "as JSON")
    .action(async (flags: DataFlags & { json?: boolean }) => {
      const { listJobs } = await import("../../platform/jobs.ts");
      const all = await run(flags, listJobs, {});
      const rows = all.map(({ name, everyMs, lastRunAt, tookMs, failure }) => [
        ...[name, `every ${everyMs / 1_000} s`, `last ${lastRunAt}`, `${Math.round(tookMs)} ms`],
        failure === null ? "ok" : `failed: ${failure}`,
      ]);
      const none = "No job has run yet: start the server.\n";
      process.stdout.write(flags.json ? `${JSON.stringify(all, null, 2)}\n` : tableOf(rows) || none);
    });
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0));
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widthOf(column)));
  return rows.map((row) => `${lineOf(row).join("  ").trimEnd()}\n`).join("");
}

/** Flags every command that touches the data understands. */
export interface DataFlags {
  data?: string;
}

export const withData = (command: Command): Command =>
  command.option("--data <folder>", "the data folder (VEDETTE_DATA, default ./data)");

/** Configuration from the environment and these flags. Throws ConfigError. */
export const configOf = (environment: NodeJS.ProcessEnv, flags: DataFlags): Config =>
  readConfig(environment, { dataFolder: flags.data });
