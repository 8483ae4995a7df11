import type { Command } from "commander";
import type { CheckOutcome } from "../check/check.ts";
import { classOf } from "../check/reasons.ts";
import { readConfig } from "../config.ts";
import { ConfigError } from "../config-values.ts";
import { normaliseUrl } from "../monitor/url.ts";
import { inEnglish } from "../texts/english.ts";
import { networkOf } from "./network.ts";
import type { Wiring } from "./wiring.ts";

interface CheckFlags {
  json?: boolean;
  timeout: string;
}

const DEFAULT_WIDTH = 80;

/** `vedette check URL`: one check from here, as the engine makes it. Exit code 0 when it passed, else 1. */
export function addCheckCommand(program: Command, wiring: Wiring): void {
  program
    .command("check")
    .argument("<url>")
    .description("Check an address once and show where the time goes.")
    .option("--json", "print the outcome as JSON")
    .option("--timeout <seconds>", "1 to 60", "10")
    .action(async (typed: string, flags: CheckFlags) => {
      const address = normaliseUrl(typed);
      if (!address.ok) throw new ConfigError(inEnglish(address.problem));
      const seconds = Number(flags.timeout);
      if (!(seconds >= 1 && seconds <= 60)) throw new ConfigError("--timeout takes a number from 1 to 60.");
      const [{ checkHttp }, { renderWaterfall }] = await Promise.all([
        import("../check/http.ts"),
        import("../check/waterfall.ts"),
      ]);
      const network = networkOf(readConfig(wiring.environment));
      const outcome = await checkHttp.run({ url: address.url }, { network, timeoutMs: seconds * 1000 });
      process.stdout.write(
        flags.json ? `${JSON.stringify(told(outcome), null, 2)}\n` : drawn(address.displayUrl),
      );
      process.exitCode = outcome.verdict === "failed" ? 1 : 0;

      function drawn(url: string): string {
        const { isTTY, columns } = process.stdout;
        const { phases } = checkHttp;
        const colour = Boolean(isTTY) && !wiring.environment.NO_COLOR;
        return renderWaterfall(url, outcome, { phases, colour, width: columns ?? DEFAULT_WIDTH });
      }
    });
}

/** The outcome with its reason as the API has it: class, sentence, and the fact itself. */
const told = ({ verdict, reason, ...seen }: CheckOutcome) => ({
  verdict,
  reasonCode: reason && classOf(reason),
  reason: reason && inEnglish(reason),
  reasonFact: reason,
  ...seen,
});
