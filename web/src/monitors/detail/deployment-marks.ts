import type { Deployment } from "../../api/deployments.ts";

/** When it was done, or has begun: milliseconds. */
export const deployedAtMs = ({ startedAt, finishedAt }: Deployment): number =>
  Date.parse(finishedAt ?? startedAt);

const shownVersion = 12;

/** What was deployed, which version, and by whom. */
export const deploymentWords = ({ name, version, author }: Deployment): string =>
  [name, version?.slice(0, shownVersion), author].filter(Boolean).join(" · ");

/** What a table has of a chart's deployments: words by the time to show them at, one after the other where there are several. */
export function deploymentsByTime(deployments: readonly Deployment[]): Map<number, string> {
  const words = new Map<number, string>();
  for (const one of deployments) {
    const at = deployedAtMs(one);
    const before = words.get(at);
    words.set(at, before === undefined ? deploymentWords(one) : `${before}, ${deploymentWords(one)}`);
  }
  return words;
}
