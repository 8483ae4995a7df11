import type { Command } from "commander";
import { configOf, type DataFlags, withData } from "./options.ts";
import type { Wiring, withContext } from "./wiring.ts";

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

interface PlanFlags extends DataFlags {
  reports?: boolean;
}

/** `user create`, `key create` and `plan`: administration from the terminal, also while the server runs. */
export function addAccountCommands(program: Command, wiring: Wiring): void {
  // Loaded on use: `vedette --help` and `vedette check` need none of it.
  const run = async <T>(flags: DataFlags, work: Parameters<typeof withContext<T>>[2]) =>
    (await import("./wiring.ts")).withContext(wiring, configOf(wiring.environment, flags), work);

  withData(program.command("user").description("People.").command("create"))
    .description("Create a person, with an organization of their own unless they join one.")
    .requiredOption("--email <address>")
    .requiredOption("--password <text>", "at least 8 characters")
    .option("--name <text>")
    .option("--organization <name>", "join or create the organization of this name")
    .action(async (flags: UserFlags) => {
      const { createUser } = await import("../account/create-user.ts");
      const { email, organization } = await run(flags, (ctx) => createUser(ctx, flags));
      process.stdout.write(`Created ${email} in organization ${organization.slug}.\n`);
    });

  withData(program.command("key").description("API keys.").command("create"))
    .description("Create an API key and print its token, which is not shown again.")
    .requiredOption("--email <address>", "whose key it is")
    .option("--name <text>", "what it is for", "Command line")
    .option("--scopes <list>", "separated by commas, e.g. read:domains,write:incidents", "*:*")
    .option("--all-organizations", "acts in every organization of the person, not only the oldest")
    .action(async (flags: KeyFlags) => {
      const scopes = flags.scopes.split(",").map((scope) => scope.trim());
      const { createKey } = await import("../account/create-key.ts");
      const { token } = await run(flags, (ctx) => createKey(ctx, { ...flags, scopes }));
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
      const { setPlan } = await import("../account/set-plan.ts");
      const set = await run(flags, (ctx) => setPlan(ctx, { organization, plan, reports: flags.reports }));
      process.stdout.write(`${set.slug} is on ${set.plan}${set.reports ? " with reports" : ""}.\n`);
    });
}
