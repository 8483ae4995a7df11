import type { AgentConfig } from "../check/agent.ts";
import { checkAgent } from "../check/agent.ts";
import { thresholdsOf } from "../device/health.ts";
import { MEASURES } from "../device/rules.ts";
import { fact } from "../texts/fact.ts";
import type { ConfigChange, Report } from "./config-change.ts";
import { usualRules } from "./usual-rules.ts";

const usual = usualRules(checkAgent);

/** Of devices: what is critical is not less than what is a warning. */
export const agentRules = {
  ...usual,
  change(change: ConfigChange, report: Report) {
    const changed = usual.change(change, report);
    const thresholds = thresholdsOf(changed.config as AgentConfig);
    for (const measure of MEASURES) {
      const { warning, critical } = thresholds[measure];
      if (critical < warning) report(`${measure}.critical`, fact("device.thresholds", { warning }));
    }
    return changed;
  },
};
