import type { Command } from "commander";
import type { Static, TSchema } from "typebox";
import type { PlanName } from "../account/plans.ts";
import type { Verb } from "../verb/verb.ts";
import { configOf, type DataFlags, withData } from "./options.ts";
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

interface PlanFlags extends DataFlags {
  reports?: boolean;
}

/** `user create`, `key create` and `plan`: administration from the terminal, also while the server runs. */
export function addAccountCommands(program: Command, wiring: Wiring): void {
  // Loaded on use: `vedette --help` and `vedette check` need none of it.
  const run = async <I extends TSchema, R>(
    flags: DataFlags,
    verb: Verb<I, TSchema, R>,
    input: Static<I>,
  ): Promise<R> => {
    const { withContext } = await import("./wiring.ts");
    const { callVerb } = await import("../verb/call.ts");
    const config = configOf(wiring.environment, flags);
    return withContext(wiring, config, (ctx) => callVerb({ ...ctx, operator: true }, verb, input));
  };

  withData(program.command("user").description("People.").command("create"))
    .description("Create a person, with an organization of their own unless they join one.")
    .requiredOption("--email <address>")
    .requiredOption("--password <text>", "at least 8 characters")
    .option("--name <text>")
    .option("--organization <name>", "join or create the organization of this name")
    .action(async (flags: UserFlags) => {
      const { createUser } = await import("../account/create-user.ts");
      const { email, password, name, organization } = flags;
      const user = await run(flags, createUser, { email, password, name, organization });
      process.stdout.write(`Created ${user.email} in organization ${user.organization.slug}.\n`);
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
      const { setPlan } = await import("../account/set-plan.ts");
      const { reports } = flags;
      const set = await run(flags, setPlan, { organization, plan: plan as PlanName, reports });
      process.stdout.write(`${set.slug} is on ${set.plan}${set.reports ? " with reports" : ""}.\n`);
    });
}
